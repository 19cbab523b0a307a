// run
// A filter of three dimensions one dimension after the other, beside its input, by rules of their own: one kernel.
// inputs: random:NxKxM where N = 1 2 11; K = 1 7; M = 1 37
// inputs: random:3x0x2
// inputs: random:17x9x67
// numpy: def along(u, axis, mode):
// numpy:     pad = [(1, 1) if d == axis else (0, 0) for d in range(3)]
// numpy:     p = np.pad(u, pad, mode=mode) if mode != "constant" else np.pad(u, pad)
// numpy:     def at(o): return np.take(p, range(o, o + u.shape[axis]), axis)
// numpy:     return (at(0) + at(2)) + at(1) * 2.0
// numpy: def run(modes):
// numpy:     u = a
// numpy:     for axis, mode in zip((2, 1, 0), modes):
// numpy:         u = along(u, axis, mode)
// numpy:     return a - u
// numpy: kinds = (("edge",) * 3, ("wrap",) * 3, ("reflect", "constant", "symmetric"))
// numpy: *(a if a.size == 0 else run(kind) for kind in kinds),
// structure: kernel.segmap 9
// versions: kernel.segmap 9
func.func @main(%a: !array.array<[n][k][m]f64>) -> (!array.array<[n][k][m]f64>, !array.array<[n][k][m]f64>, !array.array<[n][k][m]f64>) {
  %two = arith.constant 2.0 : f64
  %c = arith.constant 0.0 : f64
  %s0 = array.stencil (%x, %y, %z in %a : [n][k][m]f64 at [[0, 0, -1], [0, 0, 0], [0, 0, 1]] clamp) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    array.yield %w : f64
  }
  %t0 = array.stencil (%x, %y, %z in %s0 : [n][k][m]f64 at [[0, -1, 0], [0, 0, 0], [0, 1, 0]] clamp) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    array.yield %w : f64
  }
  %u0 = array.stencil (%x, %y, %z in %t0 : [n][k][m]f64 at [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] clamp, %p in %a : [n][k][m]f64 at [[0, 0, 0]]) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    %e = arith.subf %p, %w : f64
    array.yield %e : f64
  }
  %s1 = array.stencil (%x, %y, %z in %a : [n][k][m]f64 at [[0, 0, -1], [0, 0, 0], [0, 0, 1]] wrap) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    array.yield %w : f64
  }
  %t1 = array.stencil (%x, %y, %z in %s1 : [n][k][m]f64 at [[0, -1, 0], [0, 0, 0], [0, 1, 0]] wrap) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    array.yield %w : f64
  }
  %u1 = array.stencil (%x, %y, %z in %t1 : [n][k][m]f64 at [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] wrap, %p in %a : [n][k][m]f64 at [[0, 0, 0]]) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    %e = arith.subf %p, %w : f64
    array.yield %e : f64
  }
  %s2 = array.stencil (%x, %y, %z in %a : [n][k][m]f64 at [[0, 0, -1], [0, 0, 0], [0, 0, 1]] mirror) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    array.yield %w : f64
  }
  %t2 = array.stencil (%x, %y, %z in %s2 : [n][k][m]f64 at [[0, -1, 0], [0, 0, 0], [0, 1, 0]] constant %c) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    array.yield %w : f64
  }
  %u2 = array.stencil (%x, %y, %z in %t2 : [n][k][m]f64 at [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] symmetric, %p in %a : [n][k][m]f64 at [[0, 0, 0]]) {
    %u = arith.addf %x, %z : f64
    %v = arith.mulf %y, %two : f64
    %w = arith.addf %u, %v : f64
    %e = arith.subf %p, %w : f64
    array.yield %e : f64
  }
  func.return %u0, %u1, %u2 : !array.array<[n][k][m]f64>, !array.array<[n][k][m]f64>, !array.array<[n][k][m]f64>
}
