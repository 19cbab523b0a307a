// run
// Lower bounds that are the steps, of the same dimension and of another one.
// inputs: random:NxM; K where N = 0 1 5; M = 0 1 7; K = 1 2 9
// structure: kernel.scatter 7
// versions: kernel.scatter 7
func.func @main(%xs: !array.array<[n][m]i32>, %s: index) -> !array.array<[n][m]i32> {
  %seven = arith.constant 7 : i32
  %n = array.dim %xs, 0 : [n][m]i32
  %m = array.dim %xs, 1 : [n][m]i32
  %r = array.with_loop modarray (%xs : [n][m]i32) partition ([%s, %s] <= (%i, %j) < [%n, %m] step [1, %s] width [1, 1]) {
    array.yield %seven : i32
  }
  func.return %r : !array.array<[n][m]i32>
}
