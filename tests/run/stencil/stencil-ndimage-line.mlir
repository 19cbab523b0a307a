// run
// Nine neighbours of f64 by each rule, as scipy.ndimage has them; arrays smaller than the neighbourhood, too.
// inputs: random:N where N = 0 1 2 3 5 8 9 1031
// numpy: from scipy import ndimage
// numpy: w = np.arange(1.0, 10)
// numpy: def by(mode):
// numpy:     return ndimage.correlate(a, w, mode=mode, cval=2.5) if a.size else a
// numpy: by("nearest"), by("mirror"), by("reflect"), by("wrap"), by("constant")
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%a: !array.array<[n]f64>) -> (!array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>) {
  %c = arith.constant 2.5 : f64
  %w1 = arith.constant 1.0 : f64
  %w2 = arith.constant 2.0 : f64
  %w3 = arith.constant 3.0 : f64
  %w4 = arith.constant 4.0 : f64
  %w5 = arith.constant 5.0 : f64
  %w6 = arith.constant 6.0 : f64
  %w7 = arith.constant 7.0 : f64
  %w8 = arith.constant 8.0 : f64
  %w9 = arith.constant 9.0 : f64
  %r0 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8 in %a : [n]f64 box [4] clamp) {
    %p0 = arith.mulf %x0, %w1 : f64
    %p1 = arith.mulf %x1, %w2 : f64
    %p2 = arith.mulf %x2, %w3 : f64
    %p3 = arith.mulf %x3, %w4 : f64
    %p4 = arith.mulf %x4, %w5 : f64
    %p5 = arith.mulf %x5, %w6 : f64
    %p6 = arith.mulf %x6, %w7 : f64
    %p7 = arith.mulf %x7, %w8 : f64
    %p8 = arith.mulf %x8, %w9 : f64
    %s1 = arith.addf %p0, %p1 : f64
    %s2 = arith.addf %s1, %p2 : f64
    %s3 = arith.addf %s2, %p3 : f64
    %s4 = arith.addf %s3, %p4 : f64
    %s5 = arith.addf %s4, %p5 : f64
    %s6 = arith.addf %s5, %p6 : f64
    %s7 = arith.addf %s6, %p7 : f64
    %s8 = arith.addf %s7, %p8 : f64
    array.yield %s8 : f64
  }
  %r1 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8 in %a : [n]f64 box [4] mirror) {
    %p0 = arith.mulf %x0, %w1 : f64
    %p1 = arith.mulf %x1, %w2 : f64
    %p2 = arith.mulf %x2, %w3 : f64
    %p3 = arith.mulf %x3, %w4 : f64
    %p4 = arith.mulf %x4, %w5 : f64
    %p5 = arith.mulf %x5, %w6 : f64
    %p6 = arith.mulf %x6, %w7 : f64
    %p7 = arith.mulf %x7, %w8 : f64
    %p8 = arith.mulf %x8, %w9 : f64
    %s1 = arith.addf %p0, %p1 : f64
    %s2 = arith.addf %s1, %p2 : f64
    %s3 = arith.addf %s2, %p3 : f64
    %s4 = arith.addf %s3, %p4 : f64
    %s5 = arith.addf %s4, %p5 : f64
    %s6 = arith.addf %s5, %p6 : f64
    %s7 = arith.addf %s6, %p7 : f64
    %s8 = arith.addf %s7, %p8 : f64
    array.yield %s8 : f64
  }
  %r2 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8 in %a : [n]f64 box [4] symmetric) {
    %p0 = arith.mulf %x0, %w1 : f64
    %p1 = arith.mulf %x1, %w2 : f64
    %p2 = arith.mulf %x2, %w3 : f64
    %p3 = arith.mulf %x3, %w4 : f64
    %p4 = arith.mulf %x4, %w5 : f64
    %p5 = arith.mulf %x5, %w6 : f64
    %p6 = arith.mulf %x6, %w7 : f64
    %p7 = arith.mulf %x7, %w8 : f64
    %p8 = arith.mulf %x8, %w9 : f64
    %s1 = arith.addf %p0, %p1 : f64
    %s2 = arith.addf %s1, %p2 : f64
    %s3 = arith.addf %s2, %p3 : f64
    %s4 = arith.addf %s3, %p4 : f64
    %s5 = arith.addf %s4, %p5 : f64
    %s6 = arith.addf %s5, %p6 : f64
    %s7 = arith.addf %s6, %p7 : f64
    %s8 = arith.addf %s7, %p8 : f64
    array.yield %s8 : f64
  }
  %r3 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8 in %a : [n]f64 box [4] wrap) {
    %p0 = arith.mulf %x0, %w1 : f64
    %p1 = arith.mulf %x1, %w2 : f64
    %p2 = arith.mulf %x2, %w3 : f64
    %p3 = arith.mulf %x3, %w4 : f64
    %p4 = arith.mulf %x4, %w5 : f64
    %p5 = arith.mulf %x5, %w6 : f64
    %p6 = arith.mulf %x6, %w7 : f64
    %p7 = arith.mulf %x7, %w8 : f64
    %p8 = arith.mulf %x8, %w9 : f64
    %s1 = arith.addf %p0, %p1 : f64
    %s2 = arith.addf %s1, %p2 : f64
    %s3 = arith.addf %s2, %p3 : f64
    %s4 = arith.addf %s3, %p4 : f64
    %s5 = arith.addf %s4, %p5 : f64
    %s6 = arith.addf %s5, %p6 : f64
    %s7 = arith.addf %s6, %p7 : f64
    %s8 = arith.addf %s7, %p8 : f64
    array.yield %s8 : f64
  }
  %r4 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8 in %a : [n]f64 box [4] constant %c) {
    %p0 = arith.mulf %x0, %w1 : f64
    %p1 = arith.mulf %x1, %w2 : f64
    %p2 = arith.mulf %x2, %w3 : f64
    %p3 = arith.mulf %x3, %w4 : f64
    %p4 = arith.mulf %x4, %w5 : f64
    %p5 = arith.mulf %x5, %w6 : f64
    %p6 = arith.mulf %x6, %w7 : f64
    %p7 = arith.mulf %x7, %w8 : f64
    %p8 = arith.mulf %x8, %w9 : f64
    %s1 = arith.addf %p0, %p1 : f64
    %s2 = arith.addf %s1, %p2 : f64
    %s3 = arith.addf %s2, %p3 : f64
    %s4 = arith.addf %s3, %p4 : f64
    %s5 = arith.addf %s4, %p5 : f64
    %s6 = arith.addf %s5, %p6 : f64
    %s7 = arith.addf %s6, %p7 : f64
    %s8 = arith.addf %s7, %p8 : f64
    array.yield %s8 : f64
  }
  func.return %r0, %r1, %r2, %r3, %r4 : !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>
}
