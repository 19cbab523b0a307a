// run
// Matrices are scattered whole, by pairs; where the other of a pair is not there, the place keeps what it had.
// inputs: [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 0], [1, 2]]]; [[[0, 0], [0, 0]], [[0, 1], [1, 0]], [[0, 0], [0, 0]]]
// outputs: [[[9, 0], [1, 2]], [[0, 1], [1, 0]], [[1, 2], [3, 4]]]
// inputs: random:Nx2xM; random:Nx2xM where N = 0 1 4 33; M = 0 1 33
// structure: kernel.scatter 1
// versions: kernel.scatter 1
func.func @main(%cubes: !array.array<[n][2][m]f64>, %old: !array.array<[n][2][m]f64>) -> !array.array<[n][2][m]f64> {
  %n = array.dim %cubes, 0 : [n][2][m]f64
  %two = arith.constant 2 : index
  %is = array.iota %n : [n]index
  %far = array.scatter (%rows in %cubes : [n][2][m]f64, %i in %is : [n]index) into (%old : [n][2][m]f64) {
    %at = arith.xori %i, %two : index
    array.yield %at, %rows : index, [2][m]f64
  }
  func.return %far : !array.array<[n][2][m]f64>
}
