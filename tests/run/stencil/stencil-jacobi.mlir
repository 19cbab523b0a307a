// run
// Jacobi steps in the plane by all rules, a loop of each: several steps by one kernel, and single ones for what is left.
// inputs: random:NxM; K where N = 1 2 33; M = 1 3 70; K = 0 1 17
// inputs: random:64x130; 35
// numpy: def padded(u, mode):
// numpy:     return np.pad(u, 1, mode=mode) if mode != "constant" else np.pad(u, 1, constant_values=np.float32(3))
// numpy: def run(mode):
// numpy:     u = a
// numpy:     for _ in range(steps if a.size else 0):
// numpy:         p = padded(u, mode)
// numpy:         u = ((p[:-2, 1:-1] + p[1:-1, :-2]) + (p[1:-1, 2:] + p[2:, 1:-1])) * np.float32(0.25)
// numpy:     return u
// numpy: *(run(mode) for mode in ("edge", "reflect", "symmetric", "wrap", "constant")),
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%a: !array.array<[n][m]f32>, %steps: index) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = arith.constant 0.25 : f32
  %c = arith.constant 3.0 : f32
  %r0 = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %a) -> (!array.array<[n][m]f32>) {
    %v = array.stencil (%up, %l, %r, %d in %u : [n][m]f32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] clamp) {
      %x = arith.addf %up, %l : f32
      %y = arith.addf %r, %d : f32
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %q : f32
      array.yield %w : f32
    }
    scf.yield %v : !array.array<[n][m]f32>
  }
  %r1 = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %a) -> (!array.array<[n][m]f32>) {
    %v = array.stencil (%up, %l, %r, %d in %u : [n][m]f32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] mirror) {
      %x = arith.addf %up, %l : f32
      %y = arith.addf %r, %d : f32
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %q : f32
      array.yield %w : f32
    }
    scf.yield %v : !array.array<[n][m]f32>
  }
  %r2 = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %a) -> (!array.array<[n][m]f32>) {
    %v = array.stencil (%up, %l, %r, %d in %u : [n][m]f32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] symmetric) {
      %x = arith.addf %up, %l : f32
      %y = arith.addf %r, %d : f32
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %q : f32
      array.yield %w : f32
    }
    scf.yield %v : !array.array<[n][m]f32>
  }
  %r3 = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %a) -> (!array.array<[n][m]f32>) {
    %v = array.stencil (%up, %l, %r, %d in %u : [n][m]f32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] wrap) {
      %x = arith.addf %up, %l : f32
      %y = arith.addf %r, %d : f32
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %q : f32
      array.yield %w : f32
    }
    scf.yield %v : !array.array<[n][m]f32>
  }
  %r4 = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %a) -> (!array.array<[n][m]f32>) {
    %v = array.stencil (%up, %l, %r, %d in %u : [n][m]f32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] constant %c) {
      %x = arith.addf %up, %l : f32
      %y = arith.addf %r, %d : f32
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %q : f32
      array.yield %w : f32
    }
    scf.yield %v : !array.array<[n][m]f32>
  }
  func.return %r0, %r1, %r2, %r3, %r4 : !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>
}
