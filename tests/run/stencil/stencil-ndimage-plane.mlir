// run
// Three by five neighbours of i32 by each rule, as scipy.ndimage has them; arrays smaller than the neighbourhood, too.
// inputs: random:NxM where N = 0 1 2 37; M = 1 2 3 4 41
// numpy: from scipy import ndimage
// numpy: w = np.arange(1, 16).reshape(3, 5)
// numpy: def by(mode):
// numpy:     return ndimage.correlate(a, w, mode=mode, cval=7) if a.size else a
// numpy: by("nearest"), by("mirror"), by("reflect"), by("wrap"), by("constant")
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%a: !array.array<[n][m]i32>) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>) {
  %c = arith.constant 7 : i32
  %w1 = arith.constant 1 : i32
  %w2 = arith.constant 2 : i32
  %w3 = arith.constant 3 : i32
  %w4 = arith.constant 4 : i32
  %w5 = arith.constant 5 : i32
  %w6 = arith.constant 6 : i32
  %w7 = arith.constant 7 : i32
  %w8 = arith.constant 8 : i32
  %w9 = arith.constant 9 : i32
  %w10 = arith.constant 10 : i32
  %w11 = arith.constant 11 : i32
  %w12 = arith.constant 12 : i32
  %w13 = arith.constant 13 : i32
  %w14 = arith.constant 14 : i32
  %w15 = arith.constant 15 : i32
  %r0 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14 in %a : [n][m]i32 box [1, 2] clamp) {
    %p0 = arith.muli %x0, %w1 : i32
    %p1 = arith.muli %x1, %w2 : i32
    %p2 = arith.muli %x2, %w3 : i32
    %p3 = arith.muli %x3, %w4 : i32
    %p4 = arith.muli %x4, %w5 : i32
    %p5 = arith.muli %x5, %w6 : i32
    %p6 = arith.muli %x6, %w7 : i32
    %p7 = arith.muli %x7, %w8 : i32
    %p8 = arith.muli %x8, %w9 : i32
    %p9 = arith.muli %x9, %w10 : i32
    %p10 = arith.muli %x10, %w11 : i32
    %p11 = arith.muli %x11, %w12 : i32
    %p12 = arith.muli %x12, %w13 : i32
    %p13 = arith.muli %x13, %w14 : i32
    %p14 = arith.muli %x14, %w15 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %s4 = arith.addi %s3, %p4 : i32
    %s5 = arith.addi %s4, %p5 : i32
    %s6 = arith.addi %s5, %p6 : i32
    %s7 = arith.addi %s6, %p7 : i32
    %s8 = arith.addi %s7, %p8 : i32
    %s9 = arith.addi %s8, %p9 : i32
    %s10 = arith.addi %s9, %p10 : i32
    %s11 = arith.addi %s10, %p11 : i32
    %s12 = arith.addi %s11, %p12 : i32
    %s13 = arith.addi %s12, %p13 : i32
    %s14 = arith.addi %s13, %p14 : i32
    array.yield %s14 : i32
  }
  %r1 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14 in %a : [n][m]i32 box [1, 2] mirror) {
    %p0 = arith.muli %x0, %w1 : i32
    %p1 = arith.muli %x1, %w2 : i32
    %p2 = arith.muli %x2, %w3 : i32
    %p3 = arith.muli %x3, %w4 : i32
    %p4 = arith.muli %x4, %w5 : i32
    %p5 = arith.muli %x5, %w6 : i32
    %p6 = arith.muli %x6, %w7 : i32
    %p7 = arith.muli %x7, %w8 : i32
    %p8 = arith.muli %x8, %w9 : i32
    %p9 = arith.muli %x9, %w10 : i32
    %p10 = arith.muli %x10, %w11 : i32
    %p11 = arith.muli %x11, %w12 : i32
    %p12 = arith.muli %x12, %w13 : i32
    %p13 = arith.muli %x13, %w14 : i32
    %p14 = arith.muli %x14, %w15 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %s4 = arith.addi %s3, %p4 : i32
    %s5 = arith.addi %s4, %p5 : i32
    %s6 = arith.addi %s5, %p6 : i32
    %s7 = arith.addi %s6, %p7 : i32
    %s8 = arith.addi %s7, %p8 : i32
    %s9 = arith.addi %s8, %p9 : i32
    %s10 = arith.addi %s9, %p10 : i32
    %s11 = arith.addi %s10, %p11 : i32
    %s12 = arith.addi %s11, %p12 : i32
    %s13 = arith.addi %s12, %p13 : i32
    %s14 = arith.addi %s13, %p14 : i32
    array.yield %s14 : i32
  }
  %r2 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14 in %a : [n][m]i32 box [1, 2] symmetric) {
    %p0 = arith.muli %x0, %w1 : i32
    %p1 = arith.muli %x1, %w2 : i32
    %p2 = arith.muli %x2, %w3 : i32
    %p3 = arith.muli %x3, %w4 : i32
    %p4 = arith.muli %x4, %w5 : i32
    %p5 = arith.muli %x5, %w6 : i32
    %p6 = arith.muli %x6, %w7 : i32
    %p7 = arith.muli %x7, %w8 : i32
    %p8 = arith.muli %x8, %w9 : i32
    %p9 = arith.muli %x9, %w10 : i32
    %p10 = arith.muli %x10, %w11 : i32
    %p11 = arith.muli %x11, %w12 : i32
    %p12 = arith.muli %x12, %w13 : i32
    %p13 = arith.muli %x13, %w14 : i32
    %p14 = arith.muli %x14, %w15 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %s4 = arith.addi %s3, %p4 : i32
    %s5 = arith.addi %s4, %p5 : i32
    %s6 = arith.addi %s5, %p6 : i32
    %s7 = arith.addi %s6, %p7 : i32
    %s8 = arith.addi %s7, %p8 : i32
    %s9 = arith.addi %s8, %p9 : i32
    %s10 = arith.addi %s9, %p10 : i32
    %s11 = arith.addi %s10, %p11 : i32
    %s12 = arith.addi %s11, %p12 : i32
    %s13 = arith.addi %s12, %p13 : i32
    %s14 = arith.addi %s13, %p14 : i32
    array.yield %s14 : i32
  }
  %r3 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14 in %a : [n][m]i32 box [1, 2] wrap) {
    %p0 = arith.muli %x0, %w1 : i32
    %p1 = arith.muli %x1, %w2 : i32
    %p2 = arith.muli %x2, %w3 : i32
    %p3 = arith.muli %x3, %w4 : i32
    %p4 = arith.muli %x4, %w5 : i32
    %p5 = arith.muli %x5, %w6 : i32
    %p6 = arith.muli %x6, %w7 : i32
    %p7 = arith.muli %x7, %w8 : i32
    %p8 = arith.muli %x8, %w9 : i32
    %p9 = arith.muli %x9, %w10 : i32
    %p10 = arith.muli %x10, %w11 : i32
    %p11 = arith.muli %x11, %w12 : i32
    %p12 = arith.muli %x12, %w13 : i32
    %p13 = arith.muli %x13, %w14 : i32
    %p14 = arith.muli %x14, %w15 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %s4 = arith.addi %s3, %p4 : i32
    %s5 = arith.addi %s4, %p5 : i32
    %s6 = arith.addi %s5, %p6 : i32
    %s7 = arith.addi %s6, %p7 : i32
    %s8 = arith.addi %s7, %p8 : i32
    %s9 = arith.addi %s8, %p9 : i32
    %s10 = arith.addi %s9, %p10 : i32
    %s11 = arith.addi %s10, %p11 : i32
    %s12 = arith.addi %s11, %p12 : i32
    %s13 = arith.addi %s12, %p13 : i32
    %s14 = arith.addi %s13, %p14 : i32
    array.yield %s14 : i32
  }
  %r4 = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14 in %a : [n][m]i32 box [1, 2] constant %c) {
    %p0 = arith.muli %x0, %w1 : i32
    %p1 = arith.muli %x1, %w2 : i32
    %p2 = arith.muli %x2, %w3 : i32
    %p3 = arith.muli %x3, %w4 : i32
    %p4 = arith.muli %x4, %w5 : i32
    %p5 = arith.muli %x5, %w6 : i32
    %p6 = arith.muli %x6, %w7 : i32
    %p7 = arith.muli %x7, %w8 : i32
    %p8 = arith.muli %x8, %w9 : i32
    %p9 = arith.muli %x9, %w10 : i32
    %p10 = arith.muli %x10, %w11 : i32
    %p11 = arith.muli %x11, %w12 : i32
    %p12 = arith.muli %x12, %w13 : i32
    %p13 = arith.muli %x13, %w14 : i32
    %p14 = arith.muli %x14, %w15 : i32
    %s1 = arith.addi %p0, %p1 : i32
    %s2 = arith.addi %s1, %p2 : i32
    %s3 = arith.addi %s2, %p3 : i32
    %s4 = arith.addi %s3, %p4 : i32
    %s5 = arith.addi %s4, %p5 : i32
    %s6 = arith.addi %s5, %p6 : i32
    %s7 = arith.addi %s6, %p7 : i32
    %s8 = arith.addi %s7, %p8 : i32
    %s9 = arith.addi %s8, %p9 : i32
    %s10 = arith.addi %s9, %p10 : i32
    %s11 = arith.addi %s10, %p11 : i32
    %s12 = arith.addi %s11, %p12 : i32
    %s13 = arith.addi %s12, %p13 : i32
    %s14 = arith.addi %s13, %p14 : i32
    array.yield %s14 : i32
  }
  func.return %r0, %r1, %r2, %r3, %r4 : !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>
}
