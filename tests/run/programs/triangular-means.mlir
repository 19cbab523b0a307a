// run
// Means of the first i+1 numbers of every row, and of the last ones: parts whose length is the row.
// inputs: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
// inputs: random:NxM where N = 0 1 40; M = 1 33
// numpy: n, m = x.shape
// numpy: a = np.array([x[i, :min(i + 1, m)].mean() for i in range(n)]); b = np.array([x[i, m - min(i + 1, m):].mean() for i in range(n)])
// numpy: a, b
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%x: !array.array<[n][m]f64>) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
  %v1 = array.dim %x, 0 : [n][m]f64
  %v2 = array.iota %v1 : [n]index
  %v3 = array.dim %x, 1 : [n][m]f64
  %v28, %v29 = array.map (%v4 in %x : [n][m]f64, %v5 in %v2 : [n]index) {
    %v6 = arith.constant 1 : index
    %v7 = arith.addi %v5, %v6 : index
    %v8 = arith.minsi %v7, %v3 : index
    %v9 = arith.constant 0 : index
    %v10 = array.slice %v4[%v9] sizes [%v8] strides [%v6] : [m]f64 -> [?]f64
    %v11 = arith.constant 0.0 : f64
    %v15 = array.reduce (%v10 : [?]f64) init (%v11 : f64) combine (%v12, %v13) {
      %v14 = arith.addf %v12, %v13 : f64
      array.yield %v14 : f64
    }
    %v16 = arith.subi %v3, %v8 : index
    %v17 = array.slice %v4[%v16] sizes [%v8] strides [%v6] : [m]f64 -> [?]f64
    %v21 = array.reduce (%v17 : [?]f64) init (%v11 : f64) combine (%v18, %v19) {
      %v20 = arith.addf %v18, %v19 : f64
      array.yield %v20 : f64
    }
    %v22 = arith.index_cast %v8 : index to i64
    %v23 = arith.sitofp %v22 : i64 to f64
    %v24 = arith.divf %v15, %v23 : f64
    %v25 = arith.index_cast %v8 : index to i64
    %v26 = arith.sitofp %v25 : i64 to f64
    %v27 = arith.divf %v21, %v26 : f64
    array.yield %v24, %v27 : f64, f64
  }
  func.return %v28, %v29 : !array.array<[n]f64>, !array.array<[n]f64>
}
