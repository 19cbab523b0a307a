// run
// A with-loop for each row: every third element is doubled.
// inputs: random:NxM where N = 0 1 3; M = 0 1 2 7 32
// numpy: ys = xss.copy()
// numpy: ys[:, 0::3] *= 2
// numpy: ys
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n][m]i32> {
  %ys = array.map (%xs in %xss : [n][m]i32) {
    %m = array.dim %xs, 0 : [m]i32
    %zs = array.with_loop modarray (%xs : [m]i32) partition ([0] <= (%i) < [%m] step [3]) {
      %x = array.index %xs[%i] : [m]i32
      %y = arith.addi %x, %x : i32
      array.yield %y : i32
    }
    array.yield %zs : !array.array<[m]i32>
  }
  func.return %ys : !array.array<[n][m]i32>
}
