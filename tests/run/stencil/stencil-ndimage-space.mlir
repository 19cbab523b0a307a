// run
// A cross of seven in three dimensions of f32 by each rule, as scipy.ndimage has it; arrays of one element, too.
// inputs: random:KxNxM where K = 0 1 5; N = 1 2 7; M = 1 19
// numpy: from scipy import ndimage
// numpy: w = np.array([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 3, 4, 5, 0, 6, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0.0]).reshape(3, 3, 3)
// numpy: def by(mode):
// numpy:     return ndimage.correlate(a, w, mode=mode, cval=2.5) if a.size else a
// numpy: by("nearest"), by("mirror"), by("reflect"), by("wrap"), by("constant")
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%a: !array.array<[k][n][m]f32>) -> (!array.array<[k][n][m]f32>, !array.array<[k][n][m]f32>, !array.array<[k][n][m]f32>, !array.array<[k][n][m]f32>, !array.array<[k][n][m]f32>) {
  %c = arith.constant 2.5 : f32
  %w1 = arith.constant 1.0 : f32
  %w2 = arith.constant 2.0 : f32
  %w3 = arith.constant 3.0 : f32
  %w4 = arith.constant 4.0 : f32
  %w5 = arith.constant 5.0 : f32
  %w6 = arith.constant 6.0 : f32
  %w7 = arith.constant 7.0 : f32
  %r0 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6 in %a : [k][n][m]f32 at [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] clamp) {
    %p0 = arith.mulf %x0, %w1 : f32
    %p1 = arith.mulf %x1, %w2 : f32
    %p2 = arith.mulf %x2, %w3 : f32
    %p3 = arith.mulf %x3, %w4 : f32
    %p4 = arith.mulf %x4, %w5 : f32
    %p5 = arith.mulf %x5, %w6 : f32
    %p6 = arith.mulf %x6, %w7 : f32
    %s1 = arith.addf %p0, %p1 : f32
    %s2 = arith.addf %s1, %p2 : f32
    %s3 = arith.addf %s2, %p3 : f32
    %s4 = arith.addf %s3, %p4 : f32
    %s5 = arith.addf %s4, %p5 : f32
    %s6 = arith.addf %s5, %p6 : f32
    array.yield %s6 : f32
  }
  %r1 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6 in %a : [k][n][m]f32 at [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] mirror) {
    %p0 = arith.mulf %x0, %w1 : f32
    %p1 = arith.mulf %x1, %w2 : f32
    %p2 = arith.mulf %x2, %w3 : f32
    %p3 = arith.mulf %x3, %w4 : f32
    %p4 = arith.mulf %x4, %w5 : f32
    %p5 = arith.mulf %x5, %w6 : f32
    %p6 = arith.mulf %x6, %w7 : f32
    %s1 = arith.addf %p0, %p1 : f32
    %s2 = arith.addf %s1, %p2 : f32
    %s3 = arith.addf %s2, %p3 : f32
    %s4 = arith.addf %s3, %p4 : f32
    %s5 = arith.addf %s4, %p5 : f32
    %s6 = arith.addf %s5, %p6 : f32
    array.yield %s6 : f32
  }
  %r2 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6 in %a : [k][n][m]f32 at [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] symmetric) {
    %p0 = arith.mulf %x0, %w1 : f32
    %p1 = arith.mulf %x1, %w2 : f32
    %p2 = arith.mulf %x2, %w3 : f32
    %p3 = arith.mulf %x3, %w4 : f32
    %p4 = arith.mulf %x4, %w5 : f32
    %p5 = arith.mulf %x5, %w6 : f32
    %p6 = arith.mulf %x6, %w7 : f32
    %s1 = arith.addf %p0, %p1 : f32
    %s2 = arith.addf %s1, %p2 : f32
    %s3 = arith.addf %s2, %p3 : f32
    %s4 = arith.addf %s3, %p4 : f32
    %s5 = arith.addf %s4, %p5 : f32
    %s6 = arith.addf %s5, %p6 : f32
    array.yield %s6 : f32
  }
  %r3 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6 in %a : [k][n][m]f32 at [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] wrap) {
    %p0 = arith.mulf %x0, %w1 : f32
    %p1 = arith.mulf %x1, %w2 : f32
    %p2 = arith.mulf %x2, %w3 : f32
    %p3 = arith.mulf %x3, %w4 : f32
    %p4 = arith.mulf %x4, %w5 : f32
    %p5 = arith.mulf %x5, %w6 : f32
    %p6 = arith.mulf %x6, %w7 : f32
    %s1 = arith.addf %p0, %p1 : f32
    %s2 = arith.addf %s1, %p2 : f32
    %s3 = arith.addf %s2, %p3 : f32
    %s4 = arith.addf %s3, %p4 : f32
    %s5 = arith.addf %s4, %p5 : f32
    %s6 = arith.addf %s5, %p6 : f32
    array.yield %s6 : f32
  }
  %r4 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6 in %a : [k][n][m]f32 at [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] constant %c) {
    %p0 = arith.mulf %x0, %w1 : f32
    %p1 = arith.mulf %x1, %w2 : f32
    %p2 = arith.mulf %x2, %w3 : f32
    %p3 = arith.mulf %x3, %w4 : f32
    %p4 = arith.mulf %x4, %w5 : f32
    %p5 = arith.mulf %x5, %w6 : f32
    %p6 = arith.mulf %x6, %w7 : f32
    %s1 = arith.addf %p0, %p1 : f32
    %s2 = arith.addf %s1, %p2 : f32
    %s3 = arith.addf %s2, %p3 : f32
    %s4 = arith.addf %s3, %p4 : f32
    %s5 = arith.addf %s4, %p5 : f32
    %s6 = arith.addf %s5, %p6 : f32
    array.yield %s6 : f32
  }
  func.return %r0, %r1, %r2, %r3, %r4 : !array.array<[k][n][m]f32>, !array.array<[k][n][m]f32>, !array.array<[k][n][m]f32>, !array.array<[k][n][m]f32>, !array.array<[k][n][m]f32>
}
