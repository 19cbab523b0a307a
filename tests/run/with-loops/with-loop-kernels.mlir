// run
// A matrix by sizes of the run: borders, the inside, and every third row of it, each by a kernel of its own; one of them
// laid out as the program says.
// inputs: random:NxM where N = 3 5 40; M = 3 33
// numpy: n, m = xs.shape
// numpy: r = np.zeros_like(xs)
// numpy: r[1:n - 1, 1:m - 1] = xs[1:n - 1, 1:m - 1] - 0.25 * (xs[:n - 2, 1:m - 1] + xs[2:, 1:m - 1] + xs[1:n - 1, :m - 2] + xs[1:n - 1, 2:])
// numpy: r[1:n - 1:3, 1:m - 1] = 2 * xs[1:n - 1:3, 1:m - 1]
// numpy: r
// structure: none 0
// versions: none 0
func.func @main(%xs: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %n = array.dim %xs, 0 : [n][m]f32
  %m = array.dim %xs, 1 : [n][m]f32
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %right = arith.subi %m, %c1 : index
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %r = array.with_loop genarray [%n, %m] default (%zero : f32) partition ([1, 1] <= (%i, %j) < [%last, %right]) mapping "GridBlock(1, SplitLast(32, ShiftLB(Gen)))" {
    %above = arith.subi %i, %c1 : index
    %below = arith.addi %i, %c1 : index
    %before = arith.subi %j, %c1 : index
    %behind = arith.addi %j, %c1 : index
    %x = array.index %xs[%i, %j] : [n][m]f32
    %a = array.index %xs[%above, %j] : [n][m]f32
    %b = array.index %xs[%below, %j] : [n][m]f32
    %c = array.index %xs[%i, %before] : [n][m]f32
    %d = array.index %xs[%i, %behind] : [n][m]f32
    %ab = arith.addf %a, %b : f32
    %cd = arith.addf %c, %d : f32
    %s = arith.addf %ab, %cd : f32
    %q = arith.mulf %s, %quarter : f32
    %y = arith.subf %x, %q : f32
    array.yield %y : f32
  } partition ([1, 1] <= (%i, %j) < [%last, %right] step [3, 1]) {
    %x = array.index %xs[%i, %j] : [n][m]f32
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : [n][m]f32
  func.return %r : !array.array<[n][m]f32>
}
