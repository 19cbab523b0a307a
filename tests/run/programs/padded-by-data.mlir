// run
// Rows padded by as many elements as data says, then parts of them by other data: sums.
// inputs: [[1, 2, 3], [4, 5, 6]]; [0, 2]
// inputs: [[], []]; [0, 0]
// inputs: [[7]]; [1]
// inputs: [[1, 2, 3], [4, 5, 6]]; [0, -1]
// error: @array.pad@ ... a size cannot be -1
// inputs: [[1, 2, 3], [4, 5, 6]]; [4, 0]
// error: @array.slice@ ... a size cannot be -1
// inputs: [[1]]; [9223372036854775807]
// error: @array.pad@ ... too many for dimension 0
// numpy: o = []; d = []
// numpy: for r, k in zip(xss, ks):
// numpy:     q = np.pad(r, (k, 1), constant_values=5)
// numpy:     o.append(q[k:k + len(r) - k].sum(dtype=np.int32) + q[len(q) - 1 - k]); d.append(len(q))
// numpy: np.array(o, np.int32), np.array(d, np.int64)
// structure: kernel.segmap 1
// versions: kernel.segmap 5, kernel.segred 1, kernel.segscan 3
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]index>) -> (!array.array<[n]i32>, !array.array<[n]index>) {
  %v1 = array.dim %xss, 1 : [n][m]i32
  %v19, %v20 = array.map (%v2 in %xss : [n][m]i32, %v3 in %ks : [n]index) {
    %v4 = arith.constant 5 : i32
    %v5 = arith.constant 1 : index
    %v6 = array.pad %v2, %v4 low [%v3] high [%v5] : [m]i32 -> [?]i32
    %v7 = array.dim %v6, 0 : [?]i32
    %v8 = arith.subi %v1, %v3 : index
    %v9 = array.slice %v6[%v3] sizes [%v8] strides [%v5] : [?]i32 -> [?]i32
    %v10 = arith.constant 0 : i32
    %v14 = array.reduce (%v9 : [?]i32) init (%v10 : i32) combine (%v11, %v12) {
      %v13 = arith.addi %v11, %v12 : i32
      array.yield %v13 : i32
    }
    %v15 = arith.subi %v7, %v5 : index
    %v16 = arith.subi %v15, %v3 : index
    %v17 = array.index %v6[%v16] : [?]i32
    %v18 = arith.addi %v14, %v17 : i32
    array.yield %v18, %v7 : i32, index
  }
  func.return %v19, %v20 : !array.array<[n]i32>, !array.array<[n]index>
}
