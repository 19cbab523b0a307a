// run
// As stencil-choices-line, in space.
// inputs: random:NxKxM where N = 0 1 5; K = 1 2 11; M = 1 37
// numpy: def clamp(j, n): return np.clip(j, 0, n - 1)
// numpy: def mirror(j, n):
// numpy:     j = np.where(j < 0, -j, j)
// numpy:     return clamp(np.where(j >= n, 2 * (n - 1) - j, j), n)
// numpy: def symmetric(j, n):
// numpy:     j = np.where(j >= 0, j, -j - 1)
// numpy:     return clamp(np.where(j < n, j, 2 * n - 1 - j), n)
// numpy: def wrap(j, n): return clamp(np.where(j < 0, j + n, np.where(j >= n, j - n, j)), n)
// numpy: def run(rule):
// numpy:     if a.size == 0:
// numpy:         return a
// numpy:     total = a
// numpy:     for axis, by in ((0, -1), (1, 1), (2, -1), (2, 1)):
// numpy:         n = a.shape[axis]
// numpy:         total = total + np.take(a, rule(np.arange(n) + by, n), axis)
// numpy:     return total
// numpy: *(run(rule) for rule in (clamp, mirror, symmetric, wrap)),
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%a: !array.array<[n][k][m]f32>) -> (!array.array<[n][k][m]f32>, !array.array<[n][k][m]f32>, !array.array<[n][k][m]f32>, !array.array<[n][k][m]f32>) {
  %c-1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e0 = array.dim %a, 0 : [n][k][m]f32
  %is0 = array.iota %e0 : [n]index
  %e1 = array.dim %a, 1 : [n][k][m]f32
  %is1 = array.iota %e1 : [k]index
  %e2 = array.dim %a, 2 : [n][k][m]f32
  %is2 = array.iota %e2 : [m]index
  %rclamp0 = array.map (%i0 in %is0 : [n]index) {
    %rclamp1 = array.map (%i1 in %is1 : [k]index) {
      %rclamp2 = array.map (%i2 in %is2 : [m]index) {
        %v = array.index %a[%i0, %i1, %i2] : [n][k][m]f32
        %p0j = arith.addi %i0, %c-1 : index
        %p0last = arith.subi %e0, %c1 : index
        %p0neg = arith.cmpi slt, %p0j, %c0 : index
        %p0low = arith.select %p0neg, %c0, %p0j : index
        %p0far = arith.cmpi sgt, %p0low, %p0last : index
        %p0r = arith.select %p0far, %p0last, %p0low : index
        %x0 = array.index %a[%p0r, %i1, %i2] : [n][k][m]f32
        %s0 = arith.addf %v, %x0 : f32
        %p1j = arith.addi %i1, %c1 : index
        %p1last = arith.subi %e1, %c1 : index
        %p1neg = arith.cmpi slt, %p1j, %c0 : index
        %p1low = arith.select %p1neg, %c0, %p1j : index
        %p1far = arith.cmpi sgt, %p1low, %p1last : index
        %p1r = arith.select %p1far, %p1last, %p1low : index
        %x1 = array.index %a[%i0, %p1r, %i2] : [n][k][m]f32
        %s1 = arith.addf %s0, %x1 : f32
        %p2j = arith.addi %i2, %c-1 : index
        %p2last = arith.subi %e2, %c1 : index
        %p2neg = arith.cmpi slt, %p2j, %c0 : index
        %p2low = arith.select %p2neg, %c0, %p2j : index
        %p2far = arith.cmpi sgt, %p2low, %p2last : index
        %p2r = arith.select %p2far, %p2last, %p2low : index
        %x2 = array.index %a[%i0, %i1, %p2r] : [n][k][m]f32
        %s2 = arith.addf %s1, %x2 : f32
        %p3j = arith.addi %i2, %c1 : index
        %p3last = arith.subi %e2, %c1 : index
        %p3neg = arith.cmpi slt, %p3j, %c0 : index
        %p3low = arith.select %p3neg, %c0, %p3j : index
        %p3far = arith.cmpi sgt, %p3low, %p3last : index
        %p3r = arith.select %p3far, %p3last, %p3low : index
        %x3 = array.index %a[%i0, %i1, %p3r] : [n][k][m]f32
        %s3 = arith.addf %s2, %x3 : f32
        array.yield %s3 : f32
      }
      array.yield %rclamp2 : [m]f32
    }
    array.yield %rclamp1 : [k][m]f32
  }
  %rmirror0 = array.map (%i0 in %is0 : [n]index) {
    %rmirror1 = array.map (%i1 in %is1 : [k]index) {
      %rmirror2 = array.map (%i2 in %is2 : [m]index) {
        %v = array.index %a[%i0, %i1, %i2] : [n][k][m]f32
        %p0j = arith.addi %i0, %c-1 : index
        %p0last = arith.subi %e0, %c1 : index
        %p0neg = arith.cmpi slt, %p0j, %c0 : index
        %p0back = arith.subi %c0, %p0j : index
        %p0low = arith.select %p0neg, %p0back, %p0j : index
        %p0far = arith.cmpi sge, %p0low, %e0 : index
        %p0twice = arith.muli %p0last, %c2 : index
        %p0end = arith.subi %p0twice, %p0low : index
        %p0high = arith.select %p0far, %p0end, %p0low : index
        %p0h0 = arith.maxsi %p0high, %c0 : index
        %p0h1 = arith.minsi %p0h0, %p0last : index
        %x0 = array.index %a[%p0h1, %i1, %i2] : [n][k][m]f32
        %s0 = arith.addf %v, %x0 : f32
        %p1j = arith.addi %i1, %c1 : index
        %p1last = arith.subi %e1, %c1 : index
        %p1neg = arith.cmpi slt, %p1j, %c0 : index
        %p1back = arith.subi %c0, %p1j : index
        %p1low = arith.select %p1neg, %p1back, %p1j : index
        %p1far = arith.cmpi sge, %p1low, %e1 : index
        %p1twice = arith.muli %p1last, %c2 : index
        %p1end = arith.subi %p1twice, %p1low : index
        %p1high = arith.select %p1far, %p1end, %p1low : index
        %p1h0 = arith.maxsi %p1high, %c0 : index
        %p1h1 = arith.minsi %p1h0, %p1last : index
        %x1 = array.index %a[%i0, %p1h1, %i2] : [n][k][m]f32
        %s1 = arith.addf %s0, %x1 : f32
        %p2j = arith.addi %i2, %c-1 : index
        %p2last = arith.subi %e2, %c1 : index
        %p2neg = arith.cmpi slt, %p2j, %c0 : index
        %p2back = arith.subi %c0, %p2j : index
        %p2low = arith.select %p2neg, %p2back, %p2j : index
        %p2far = arith.cmpi sge, %p2low, %e2 : index
        %p2twice = arith.muli %p2last, %c2 : index
        %p2end = arith.subi %p2twice, %p2low : index
        %p2high = arith.select %p2far, %p2end, %p2low : index
        %p2h0 = arith.maxsi %p2high, %c0 : index
        %p2h1 = arith.minsi %p2h0, %p2last : index
        %x2 = array.index %a[%i0, %i1, %p2h1] : [n][k][m]f32
        %s2 = arith.addf %s1, %x2 : f32
        %p3j = arith.addi %i2, %c1 : index
        %p3last = arith.subi %e2, %c1 : index
        %p3neg = arith.cmpi slt, %p3j, %c0 : index
        %p3back = arith.subi %c0, %p3j : index
        %p3low = arith.select %p3neg, %p3back, %p3j : index
        %p3far = arith.cmpi sge, %p3low, %e2 : index
        %p3twice = arith.muli %p3last, %c2 : index
        %p3end = arith.subi %p3twice, %p3low : index
        %p3high = arith.select %p3far, %p3end, %p3low : index
        %p3h0 = arith.maxsi %p3high, %c0 : index
        %p3h1 = arith.minsi %p3h0, %p3last : index
        %x3 = array.index %a[%i0, %i1, %p3h1] : [n][k][m]f32
        %s3 = arith.addf %s2, %x3 : f32
        array.yield %s3 : f32
      }
      array.yield %rmirror2 : [m]f32
    }
    array.yield %rmirror1 : [k][m]f32
  }
  %rsymmetric0 = array.map (%i0 in %is0 : [n]index) {
    %rsymmetric1 = array.map (%i1 in %is1 : [k]index) {
      %rsymmetric2 = array.map (%i2 in %is2 : [m]index) {
        %v = array.index %a[%i0, %i1, %i2] : [n][k][m]f32
        %p0j = arith.addi %i0, %c-1 : index
        %p0last = arith.subi %e0, %c1 : index
        %p0neg = arith.cmpi sge, %p0j, %c0 : index
        %p0back = arith.subi %c0, %p0j : index
        %p0back1 = arith.subi %p0back, %c1 : index
        %p0low = arith.select %p0neg, %p0j, %p0back1 : index
        %p0in = arith.cmpi slt, %p0low, %e0 : index
        %p0twice = arith.addi %e0, %p0last : index
        %p0end = arith.subi %p0twice, %p0low : index
        %p0high = arith.select %p0in, %p0low, %p0end : index
        %p0h0 = arith.maxsi %p0high, %c0 : index
        %p0h1 = arith.minsi %p0h0, %p0last : index
        %x0 = array.index %a[%p0h1, %i1, %i2] : [n][k][m]f32
        %s0 = arith.addf %v, %x0 : f32
        %p1j = arith.addi %i1, %c1 : index
        %p1last = arith.subi %e1, %c1 : index
        %p1neg = arith.cmpi sge, %p1j, %c0 : index
        %p1back = arith.subi %c0, %p1j : index
        %p1back1 = arith.subi %p1back, %c1 : index
        %p1low = arith.select %p1neg, %p1j, %p1back1 : index
        %p1in = arith.cmpi slt, %p1low, %e1 : index
        %p1twice = arith.addi %e1, %p1last : index
        %p1end = arith.subi %p1twice, %p1low : index
        %p1high = arith.select %p1in, %p1low, %p1end : index
        %p1h0 = arith.maxsi %p1high, %c0 : index
        %p1h1 = arith.minsi %p1h0, %p1last : index
        %x1 = array.index %a[%i0, %p1h1, %i2] : [n][k][m]f32
        %s1 = arith.addf %s0, %x1 : f32
        %p2j = arith.addi %i2, %c-1 : index
        %p2last = arith.subi %e2, %c1 : index
        %p2neg = arith.cmpi sge, %p2j, %c0 : index
        %p2back = arith.subi %c0, %p2j : index
        %p2back1 = arith.subi %p2back, %c1 : index
        %p2low = arith.select %p2neg, %p2j, %p2back1 : index
        %p2in = arith.cmpi slt, %p2low, %e2 : index
        %p2twice = arith.addi %e2, %p2last : index
        %p2end = arith.subi %p2twice, %p2low : index
        %p2high = arith.select %p2in, %p2low, %p2end : index
        %p2h0 = arith.maxsi %p2high, %c0 : index
        %p2h1 = arith.minsi %p2h0, %p2last : index
        %x2 = array.index %a[%i0, %i1, %p2h1] : [n][k][m]f32
        %s2 = arith.addf %s1, %x2 : f32
        %p3j = arith.addi %i2, %c1 : index
        %p3last = arith.subi %e2, %c1 : index
        %p3neg = arith.cmpi sge, %p3j, %c0 : index
        %p3back = arith.subi %c0, %p3j : index
        %p3back1 = arith.subi %p3back, %c1 : index
        %p3low = arith.select %p3neg, %p3j, %p3back1 : index
        %p3in = arith.cmpi slt, %p3low, %e2 : index
        %p3twice = arith.addi %e2, %p3last : index
        %p3end = arith.subi %p3twice, %p3low : index
        %p3high = arith.select %p3in, %p3low, %p3end : index
        %p3h0 = arith.maxsi %p3high, %c0 : index
        %p3h1 = arith.minsi %p3h0, %p3last : index
        %x3 = array.index %a[%i0, %i1, %p3h1] : [n][k][m]f32
        %s3 = arith.addf %s2, %x3 : f32
        array.yield %s3 : f32
      }
      array.yield %rsymmetric2 : [m]f32
    }
    array.yield %rsymmetric1 : [k][m]f32
  }
  %rwrap0 = array.map (%i0 in %is0 : [n]index) {
    %rwrap1 = array.map (%i1 in %is1 : [k]index) {
      %rwrap2 = array.map (%i2 in %is2 : [m]index) {
        %v = array.index %a[%i0, %i1, %i2] : [n][k][m]f32
        %p0j = arith.addi %i0, %c-1 : index
        %p0last = arith.subi %e0, %c1 : index
        %p0neg = arith.cmpi slt, %p0j, %c0 : index
        %p0over = arith.cmpi sge, %p0j, %e0 : index
        %p0more = arith.addi %p0j, %e0 : index
        %p0less = arith.subi %p0j, %e0 : index
        %p0x = arith.select %p0over, %p0less, %p0j : index
        %p0y = arith.select %p0neg, %p0more, %p0x : index
        %p0h0 = arith.maxsi %p0y, %c0 : index
        %p0h1 = arith.minsi %p0h0, %p0last : index
        %x0 = array.index %a[%p0h1, %i1, %i2] : [n][k][m]f32
        %s0 = arith.addf %v, %x0 : f32
        %p1j = arith.addi %i1, %c1 : index
        %p1last = arith.subi %e1, %c1 : index
        %p1neg = arith.cmpi slt, %p1j, %c0 : index
        %p1over = arith.cmpi sge, %p1j, %e1 : index
        %p1more = arith.addi %p1j, %e1 : index
        %p1less = arith.subi %p1j, %e1 : index
        %p1x = arith.select %p1over, %p1less, %p1j : index
        %p1y = arith.select %p1neg, %p1more, %p1x : index
        %p1h0 = arith.maxsi %p1y, %c0 : index
        %p1h1 = arith.minsi %p1h0, %p1last : index
        %x1 = array.index %a[%i0, %p1h1, %i2] : [n][k][m]f32
        %s1 = arith.addf %s0, %x1 : f32
        %p2j = arith.addi %i2, %c-1 : index
        %p2last = arith.subi %e2, %c1 : index
        %p2neg = arith.cmpi slt, %p2j, %c0 : index
        %p2over = arith.cmpi sge, %p2j, %e2 : index
        %p2more = arith.addi %p2j, %e2 : index
        %p2less = arith.subi %p2j, %e2 : index
        %p2x = arith.select %p2over, %p2less, %p2j : index
        %p2y = arith.select %p2neg, %p2more, %p2x : index
        %p2h0 = arith.maxsi %p2y, %c0 : index
        %p2h1 = arith.minsi %p2h0, %p2last : index
        %x2 = array.index %a[%i0, %i1, %p2h1] : [n][k][m]f32
        %s2 = arith.addf %s1, %x2 : f32
        %p3j = arith.addi %i2, %c1 : index
        %p3last = arith.subi %e2, %c1 : index
        %p3neg = arith.cmpi slt, %p3j, %c0 : index
        %p3over = arith.cmpi sge, %p3j, %e2 : index
        %p3more = arith.addi %p3j, %e2 : index
        %p3less = arith.subi %p3j, %e2 : index
        %p3x = arith.select %p3over, %p3less, %p3j : index
        %p3y = arith.select %p3neg, %p3more, %p3x : index
        %p3h0 = arith.maxsi %p3y, %c0 : index
        %p3h1 = arith.minsi %p3h0, %p3last : index
        %x3 = array.index %a[%i0, %i1, %p3h1] : [n][k][m]f32
        %s3 = arith.addf %s2, %x3 : f32
        array.yield %s3 : f32
      }
      array.yield %rwrap2 : [m]f32
    }
    array.yield %rwrap1 : [k][m]f32
  }
  func.return %rclamp0, %rmirror0, %rsymmetric0, %rwrap0 : !array.array<[n][k][m]f32>, !array.array<[n][k][m]f32>, !array.array<[n][k][m]f32>, !array.array<[n][k][m]f32>
}
