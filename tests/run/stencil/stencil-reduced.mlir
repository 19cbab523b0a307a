// run
// The sum of squares of what a stencil of the plane gives, which no memory holds; and each row's largest value of a stencil in the row.
// inputs: random:NxM where N = 1 2 33; M = 1 3 300
// inputs: random:0x3
// inputs: random:3x0
// numpy: p = np.pad(a, 1, mode="edge") if a.size else np.zeros((a.shape[0] + 2, a.shape[1] + 2), np.int32)
// numpy: s = 4 * p[1:-1, 1:-1] - p[:-2, 1:-1] - p[2:, 1:-1] - p[1:-1, :-2] - p[1:-1, 2:]
// numpy: w = np.roll(a, 1, axis=1) - np.roll(a, -1, axis=1)
// numpy: np.sum(s * s, dtype=np.int32), np.max(w, axis=1, initial=-5).astype(np.int32)
// structure: kernel.segred 3
// versions: kernel.segmap 4, kernel.segred 5
func.func @main(%a: !array.array<[n][m]i32>) -> (i32, !array.array<[n]i32>) {
  %four = arith.constant 4 : i32
  %zero = arith.constant 0 : i32
  %least = arith.constant -5 : i32
  %s = array.stencil (%u, %l, %o, %r, %d in %a : [n][m]i32 at [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] clamp) {
    %x = arith.muli %o, %four : i32
    %y = arith.subi %x, %u : i32
    %z = arith.subi %y, %l : i32
    %v = arith.subi %z, %r : i32
    %w = arith.subi %v, %d : i32
    array.yield %w : i32
  }
  %rows = array.map (%row in %s : [n][m]i32) {
    %t = array.redomap (%x in %row : [m]i32) init (%zero : i32) map {
      %xx = arith.muli %x, %x : i32
      array.yield %xx : i32
    } combine (%x, %y) {
      %z = arith.addi %x, %y : i32
      array.yield %z : i32
    }
    array.yield %t : i32
  }
  %sum = array.reduce (%rows : [n]i32) init (%zero : i32) combine (%x, %y) {
    %z = arith.addi %x, %y : i32
    array.yield %z : i32
  }
  %most = array.map (%row in %a : [n][m]i32) {
    %w = array.stencil (%l, %r in %row : [m]i32 at [-1, 1] wrap) {
      %x = arith.subi %l, %r : i32
      array.yield %x : i32
    }
    %t = array.reduce (%w : [m]i32) init (%least : i32) combine (%x, %y) {
      %z = arith.maxsi %x, %y : i32
      array.yield %z : i32
    }
    array.yield %t : i32
  }
  func.return %sum, %most : i32, !array.array<[n]i32>
}
