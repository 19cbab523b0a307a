// run
// All shortest paths: a loop over the middle vertex, i64.
// inputs: random:NxN where N = 0 1 2 9 33
// inputs: [[1, 2]]
// error: size `n`
// numpy: d = d.copy()
// numpy: for k in range(len(d)):
// numpy:     d = np.minimum(d, d[:, k:k + 1] + d[k:k + 1, :])
// numpy: d
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%d: !array.array<[n][n]i64>) -> !array.array<[n][n]i64> {
  %v1 = array.dim %d, 0 : [n][n]i64
  %v2 = array.iota %v1 : [n]index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 1 : index
  %v16 = scf.for %v5 = %v3 to %v1 step %v4 iter_args(%v6 = %d) -> (!array.array<[n][n]i64>) {
    %v15 = array.map (%v7 in %v2 : [n]index) {
      %v14 = array.map (%v8 in %v2 : [n]index) {
        %v9 = array.index %v6[%v7, %v8] : [n][n]i64
        %v10 = array.index %v6[%v7, %v5] : [n][n]i64
        %v11 = array.index %v6[%v5, %v8] : [n][n]i64
        %v12 = arith.addi %v10, %v11 : i64
        %v13 = arith.minsi %v9, %v12 : i64
        array.yield %v13 : i64
      }
      array.yield %v14 : [n]i64
    }
    scf.yield %v15 : !array.array<[n][n]i64>
  }
  func.return %v16 : !array.array<[n][n]i64>
}
