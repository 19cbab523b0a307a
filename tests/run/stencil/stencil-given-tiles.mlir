// run
// Stencils in the tiles that their schedules say: in the plane with several points for a thread and with one, along a line by runs.
// inputs: random:NxM; random:K where N = 1 33; M = 3 70; K = 1 1300
// inputs: random:0x3; random:0
// inputs: random:64x257; random:2048
// numpy: def at(u, i, j):
// numpy:     p = np.pad(u, 1, mode="edge") if u.size else np.zeros((u.shape[0] + 2, u.shape[1] + 2), np.int32)
// numpy:     return p[1 + i:1 + i + u.shape[0], 1 + j:1 + j + u.shape[1]]
// numpy: def near(v, i):
// numpy:     return np.concatenate([[7] * max(-i, 0), v, [7] * max(i, 0)]).astype(np.int32)[max(i, 0):][:len(v)]
// numpy: plane = lambda u: at(u, -1, 0) + at(u, 0, -1) + at(u, 0, 1) + at(u, 1, 0)
// numpy: plane(xs), near(vs, -2) + vs * 2 + near(vs, 1), plane(xs) * 3 - 1
// structure: kernel.segmap 3
// versions: kernel.segmap 3
func.func @main(%xs: !array.array<[n][m]i32>, %vs: !array.array<[k]i32>) -> (!array.array<[n][m]i32>, !array.array<[k]i32>, !array.array<[n][m]i32>) {
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %plane = array.stencil (%u, %l, %r, %d in %xs : [n][m]i32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] clamp) {
    %x = arith.addi %u, %l : i32
    %y = arith.addi %r, %d : i32
    %z = arith.addi %x, %y : i32
    array.yield %z : i32
  } {schedule = #kernel.schedule<stripmine [16, 64] registers [4, 2], halo>}
  %line = array.stencil (%l, %c, %r in %vs : [k]i32 at [[-2], [0], [1]] constant %seven) {
    %x = arith.addi %l, %r : i32
    %y = arith.addi %c, %c : i32
    %z = arith.addi %x, %y : i32
    array.yield %z : i32
  } {schedule = #kernel.schedule<stripmine [256] registers [4] runs [2], halo>}
  %again = array.stencil (%u, %l, %r, %d in %xs : [n][m]i32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] clamp) {
    %x = arith.addi %u, %l : i32
    %y = arith.addi %r, %d : i32
    %z = arith.addi %x, %y : i32
    %w = arith.muli %z, %three : i32
    %v = arith.subi %w, %one : i32
    array.yield %v : i32
  } {schedule = #kernel.schedule<stripmine [8, 32], halo>}
  func.return %plane, %line, %again : !array.array<[n][m]i32>, !array.array<[k]i32>, !array.array<[n][m]i32>
}
