// run
// Stencils in maps: of each image of a batch, and of what a map makes; neighbours read one by one.
// inputs: random:BxNxM where B = 0 1 3; N = 1 2 9; M = 1 33
// numpy: b, n, m = a.shape
// numpy: i = np.arange(n)
// numpy: s = a[:, np.clip(i - 1, 0, n - 1)] + a[:, np.clip(i + 1, 0, n - 1)]
// numpy: q = a * 2
// numpy: t = np.roll(q, 1, 2) + np.roll(q, -1, 2)
// numpy: near = np.pad(a, [(0, 0), (0, 0), (0, 1)], constant_values=-1)[:, :, 1:] - a[:, np.maximum(i - 2, 0)]
// numpy: s, t, near
// structure: kernel.segmap 3
// versions: kernel.segmap 8
func.func @main(%a: !array.array<[b][n][m]i32>) -> (!array.array<[b][n][m]i32>, !array.array<[b][n][m]i32>, !array.array<[b][n][m]i32>) {
  %two = arith.constant 2 : i32
  %none = arith.constant -1 : i32
  %n = array.dim %a, 1 : [b][n][m]i32
  %m = array.dim %a, 2 : [b][n][m]i32
  %is = array.iota %n : [n]index
  %js = array.iota %m : [m]index
  %s, %t, %u = array.map (%image in %a : [b][n][m]i32) {
    %x = array.stencil (%up, %down in %image : [n][m]i32 at [[-1, 0], [1, 0]] clamp) {
      %sum = arith.addi %up, %down : i32
      array.yield %sum : i32
    }
    %y = array.map (%row in %image : [n][m]i32) {
      %double = array.map (%v in %row : [m]i32) {
        %w = arith.muli %v, %two : i32
        array.yield %w : i32
      }
      %z = array.stencil (%left, %right in %double : [m]i32 at [-1, 1] wrap) {
        %sum = arith.addi %left, %right : i32
        array.yield %sum : i32
      }
      array.yield %z : [m]i32
    }
    %near = array.map (%i in %is : [n]index) {
      %r = array.map (%j in %js : [m]index) {
        %next = array.near %image[%i, %j] by [0, 1] else %none : [n][m]i32
        %above = array.near %image[%i, %j] by [-2, 0] clamp : [n][m]i32
        %d = arith.subi %next, %above : i32
        array.yield %d : i32
      }
      array.yield %r : [m]i32
    }
    array.yield %x, %y, %near : [n][m]i32, [n][m]i32, [n][m]i32
  }
  func.return %s, %t, %u : !array.array<[b][n][m]i32>, !array.array<[b][n][m]i32>, !array.array<[b][n][m]i32>
}
