// run
// A chain of matrix products with transposes in between and one row taken away, i64.
// inputs: [[1, 2], [3, 4]]; [[1, 0, 1], [0, 1, 1]]
// inputs: random:NxK; random:KxM where N = 1 9; K = 0 1 17; M = 1 33
// inputs: random:0x2; random:2x3
// error: @array.slice@ ... a size cannot be -1
// numpy: c = a @ b
// numpy: c @ c.T, c[1:]
// structure: kernel.segmap 3
// shapes: 6
// versions: kernel.segmap 5, kernel.segred 4
func.func @main(%a: !array.array<[n][k]i64>, %b: !array.array<[k][m]i64>) -> (!array.array<[n][n]i64>, !array.array<[?][m]i64>) {
  %v13 = array.map (%v1 in %a : [n][k]i64) {
    %v2 = array.rearrange %b, [1, 0] : [k][m]i64
    %v12 = array.map (%v3 in %v2 : [m][k]i64) {
      %v4 = arith.constant 0 : i64
      %v11 = array.redomap (%v5 in %v1 : [k]i64, %v6 in %v3 : [k]i64) init (%v4 : i64) map {
        %v7 = arith.muli %v5, %v6 : i64
        array.yield %v7 : i64
      } combine (%v8, %v9) {
        %v10 = arith.addi %v8, %v9 : i64
        array.yield %v10 : i64
      }
      array.yield %v11 : i64
    }
    array.yield %v12 : [m]i64
  }
  %v14 = array.rearrange %v13, [1, 0] : [n][m]i64
  %v27 = array.map (%v15 in %v13 : [n][m]i64) {
    %v16 = array.rearrange %v14, [1, 0] : [m][n]i64
    %v26 = array.map (%v17 in %v16 : [n][m]i64) {
      %v18 = arith.constant 0 : i64
      %v25 = array.redomap (%v19 in %v15 : [m]i64, %v20 in %v17 : [m]i64) init (%v18 : i64) map {
        %v21 = arith.muli %v19, %v20 : i64
        array.yield %v21 : i64
      } combine (%v22, %v23) {
        %v24 = arith.addi %v22, %v23 : i64
        array.yield %v24 : i64
      }
      array.yield %v25 : i64
    }
    array.yield %v26 : [n]i64
  }
  %v28 = array.dim %v13, 0 : [n][m]i64
  %v29 = arith.constant 1 : index
  %v30 = arith.subi %v28, %v29 : index
  %v31 = array.dim %v13, 1 : [n][m]i64
  %v32 = arith.constant 0 : index
  %v33 = array.slice %v13[%v29, %v32] sizes [%v30, %v31] strides [%v29, %v29] : [n][m]i64 -> [?][m]i64
  func.return %v27, %v33 : !array.array<[n][n]i64>, !array.array<[?][m]i64>
}
