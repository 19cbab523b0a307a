// run
// Rows of a sparse matrix as parts of two arrays, each of its own length, times a dense matrix.
// inputs: [0, 2, 2, 3]; [1, 0, 2]; [2.0, 3.0, 4.0]; [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
// inputs: [0]; []; []; [[1.0]]
// inputs: [0, 0]; []; []; [[1.0, 2.0, 3.0]]
// inputs: [0, 2, 1]; [1, 0, 2]; [2.0, 3.0, 4.0]; [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
// error: @array.slice %cols@ ... a size cannot be -1
// inputs: [0, 4]; [1, 0, 2]; [2.0, 3.0, 4.0]; [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
// error: @array.slice %cols@ ... 4 elements from index 0 on reach outside
// inputs: [0, 2]; [1, 3]; [2.0, 3.0]; [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
// error: @array.index %dense@ ... index 3 is out of range for dimension 0
// numpy: n = len(starts) - 1
// numpy: out = np.zeros((n, dense.shape[1]), np.float32)
// numpy: for i in range(n):
// numpy:     for j in range(starts[i], starts[i + 1]):
// numpy:         out[i] += dense[cols[j]] * vals[j]
// numpy: out
// structure: kernel.segmap 2
// shapes: 6
// versions: kernel.segmap 2
func.func @main(%starts: !array.array<[r]index>, %cols: !array.array<[z]index>, %vals: !array.array<[z]f32>, %dense: !array.array<[c][k]f32>) -> !array.array<[?][k]f32> {
  %v1 = array.dim %starts, 0 : [r]index
  %v2 = arith.constant 1 : index
  %v3 = arith.subi %v1, %v2 : index
  %v4 = array.iota %v3 : [?]index
  %v5 = array.dim %dense, 1 : [c][k]f32
  %v6 = array.iota %v5 : [k]index
  %v25 = array.map (%v7 in %v4 : [?]index) {
    %v8 = array.index %starts[%v7] : [r]index
    %v9 = arith.addi %v7, %v2 : index
    %v10 = array.index %starts[%v9] : [r]index
    %v11 = arith.subi %v10, %v8 : index
    %v12 = array.slice %cols[%v8] sizes [%v11] strides [%v2] : [z]index -> [?]index
    %v13 = array.slice %vals[%v8] sizes [%v11] strides [%v2] : [z]f32 -> [?]f32
    %v24 = array.map (%v14 in %v6 : [k]index) {
      %v15 = arith.constant 0.0 : f32
      %v23 = array.redomap (%v16 in %v12 : [?]index, %v17 in %v13 : [?]f32) init (%v15 : f32) map {
        %v18 = array.index %dense[%v16, %v14] : [c][k]f32
        %v19 = arith.mulf %v18, %v17 : f32
        array.yield %v19 : f32
      } combine (%v20, %v21) {
        %v22 = arith.addf %v20, %v21 : f32
        array.yield %v22 : f32
      }
      array.yield %v23 : f32
    }
    array.yield %v24 : [k]f32
  }
  func.return %v25 : !array.array<[?][k]f32>
}
