// run
// Batches of lower triangular systems: a loop in a map that updates an array element by element.
// inputs: [[[2.0, 0.0], [1.0, 4.0]]]; [[2.0, 9.0]]
// inputs: random:0x2x2; random:0x2
// numpy: out = np.zeros_like(bs)
// numpy: for k in range(len(bs)):
// numpy:     for i in range(ls.shape[1]):
// numpy:         out[k, i] = (bs[k, i] - ls[k, i, :i] @ out[k, :i]) / ls[k, i, i]
// numpy: out
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 1
func.func @main(%ls: !array.array<[b][n][n]f64>, %bs: !array.array<[b][n]f64>) -> !array.array<[b][n]f64> {
  %v1 = array.dim %ls, 1 : [b][n][n]f64
  %v25 = array.map (%v2 in %ls : [b][n][n]f64, %v3 in %bs : [b][n]f64) {
    %v4 = arith.constant 0 : index
    %v5 = arith.constant 1 : index
    %v24 = scf.for %v6 = %v4 to %v1 step %v5 iter_args(%v7 = %v3) -> (!array.array<[n]f64>) {
      %v8 = array.index %v2[%v6] : [n][n]f64
      %v9 = array.slice %v8[%v4] sizes [%v6] strides [%v5] : [n]f64 -> [?]f64
      %v10 = array.slice %v7[%v4] sizes [%v6] strides [%v5] : [n]f64 -> [?]f64
      %v11 = arith.constant 0.0 : f64
      %v18 = array.redomap (%v12 in %v9 : [?]f64, %v13 in %v10 : [?]f64) init (%v11 : f64) map {
        %v14 = arith.mulf %v12, %v13 : f64
        array.yield %v14 : f64
      } combine (%v15, %v16) {
        %v17 = arith.addf %v15, %v16 : f64
        array.yield %v17 : f64
      }
      %v19 = array.index %v3[%v6] : [n]f64
      %v20 = arith.subf %v19, %v18 : f64
      %v21 = array.index %v2[%v6, %v6] : [n][n]f64
      %v22 = arith.divf %v20, %v21 : f64
      %v23 = array.update %v22, %v7[%v6] : f64, [n]f64
      scf.yield %v23 : !array.array<[n]f64>
    }
    array.yield %v24 : [n]f64
  }
  func.return %v25 : !array.array<[b][n]f64>
}
