// run
// As stencil-choices-line, in the plane.
// inputs: random:NxM where N = 0 1 2 37; M = 1 3 70
// numpy: def clamp(j, n): return np.clip(j, 0, n - 1)
// numpy: def mirror(j, n):
// numpy:     j = np.where(j < 0, -j, j)
// numpy:     return clamp(np.where(j >= n, 2 * (n - 1) - j, j), n)
// numpy: def symmetric(j, n):
// numpy:     j = np.where(j >= 0, j, -j - 1)
// numpy:     return clamp(np.where(j < n, j, 2 * n - 1 - j), n)
// numpy: def wrap(j, n): return clamp(np.where(j < 0, j + n, np.where(j >= n, j - n, j)), n)
// numpy: def period(j, n):
// numpy:     by = max(2 * (n - 1), 1)
// numpy:     j = j % by
// numpy:     return np.minimum(j, 2 * (n - 1) - j)
// numpy: def run(rule):
// numpy:     if a.size == 0:
// numpy:         return a
// numpy:     total = a
// numpy:     for axis, by in ((0, -1), (0, 1), (1, -1), (1, 1)):
// numpy:         n = a.shape[axis]
// numpy:         total = total + np.take(a, rule(np.arange(n) + by, n), axis)
// numpy:     return total
// numpy: *(run(rule) for rule in (clamp, mirror, symmetric, wrap, period)),
// structure: kernel.segmap 6
// versions: kernel.segmap 6
func.func @main(%a: !array.array<[n][m]f32>) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>) {
  %c-1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e0 = array.dim %a, 0 : [n][m]f32
  %is0 = array.iota %e0 : [n]index
  %e1 = array.dim %a, 1 : [n][m]f32
  %is1 = array.iota %e1 : [m]index
  %rclamp0 = array.map (%i0 in %is0 : [n]index) {
    %rclamp1 = array.map (%i1 in %is1 : [m]index) {
      %v = array.index %a[%i0, %i1] : [n][m]f32
      %p0j = arith.addi %i0, %c-1 : index
      %p0last = arith.subi %e0, %c1 : index
      %p0neg = arith.cmpi slt, %p0j, %c0 : index
      %p0low = arith.select %p0neg, %c0, %p0j : index
      %p0far = arith.cmpi sgt, %p0low, %p0last : index
      %p0r = arith.select %p0far, %p0last, %p0low : index
      %x0 = array.index %a[%p0r, %i1] : [n][m]f32
      %s0 = arith.addf %v, %x0 : f32
      %p1j = arith.addi %i0, %c1 : index
      %p1last = arith.subi %e0, %c1 : index
      %p1neg = arith.cmpi slt, %p1j, %c0 : index
      %p1low = arith.select %p1neg, %c0, %p1j : index
      %p1far = arith.cmpi sgt, %p1low, %p1last : index
      %p1r = arith.select %p1far, %p1last, %p1low : index
      %x1 = array.index %a[%p1r, %i1] : [n][m]f32
      %s1 = arith.addf %s0, %x1 : f32
      %p2j = arith.addi %i1, %c-1 : index
      %p2last = arith.subi %e1, %c1 : index
      %p2neg = arith.cmpi slt, %p2j, %c0 : index
      %p2low = arith.select %p2neg, %c0, %p2j : index
      %p2far = arith.cmpi sgt, %p2low, %p2last : index
      %p2r = arith.select %p2far, %p2last, %p2low : index
      %x2 = array.index %a[%i0, %p2r] : [n][m]f32
      %s2 = arith.addf %s1, %x2 : f32
      %p3j = arith.addi %i1, %c1 : index
      %p3last = arith.subi %e1, %c1 : index
      %p3neg = arith.cmpi slt, %p3j, %c0 : index
      %p3low = arith.select %p3neg, %c0, %p3j : index
      %p3far = arith.cmpi sgt, %p3low, %p3last : index
      %p3r = arith.select %p3far, %p3last, %p3low : index
      %x3 = array.index %a[%i0, %p3r] : [n][m]f32
      %s3 = arith.addf %s2, %x3 : f32
      array.yield %s3 : f32
    }
    array.yield %rclamp1 : [m]f32
  }
  %rmirror0 = array.map (%i0 in %is0 : [n]index) {
    %rmirror1 = array.map (%i1 in %is1 : [m]index) {
      %v = array.index %a[%i0, %i1] : [n][m]f32
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
      %x0 = array.index %a[%p0h1, %i1] : [n][m]f32
      %s0 = arith.addf %v, %x0 : f32
      %p1j = arith.addi %i0, %c1 : index
      %p1last = arith.subi %e0, %c1 : index
      %p1neg = arith.cmpi slt, %p1j, %c0 : index
      %p1back = arith.subi %c0, %p1j : index
      %p1low = arith.select %p1neg, %p1back, %p1j : index
      %p1far = arith.cmpi sge, %p1low, %e0 : index
      %p1twice = arith.muli %p1last, %c2 : index
      %p1end = arith.subi %p1twice, %p1low : index
      %p1high = arith.select %p1far, %p1end, %p1low : index
      %p1h0 = arith.maxsi %p1high, %c0 : index
      %p1h1 = arith.minsi %p1h0, %p1last : index
      %x1 = array.index %a[%p1h1, %i1] : [n][m]f32
      %s1 = arith.addf %s0, %x1 : f32
      %p2j = arith.addi %i1, %c-1 : index
      %p2last = arith.subi %e1, %c1 : index
      %p2neg = arith.cmpi slt, %p2j, %c0 : index
      %p2back = arith.subi %c0, %p2j : index
      %p2low = arith.select %p2neg, %p2back, %p2j : index
      %p2far = arith.cmpi sge, %p2low, %e1 : index
      %p2twice = arith.muli %p2last, %c2 : index
      %p2end = arith.subi %p2twice, %p2low : index
      %p2high = arith.select %p2far, %p2end, %p2low : index
      %p2h0 = arith.maxsi %p2high, %c0 : index
      %p2h1 = arith.minsi %p2h0, %p2last : index
      %x2 = array.index %a[%i0, %p2h1] : [n][m]f32
      %s2 = arith.addf %s1, %x2 : f32
      %p3j = arith.addi %i1, %c1 : index
      %p3last = arith.subi %e1, %c1 : index
      %p3neg = arith.cmpi slt, %p3j, %c0 : index
      %p3back = arith.subi %c0, %p3j : index
      %p3low = arith.select %p3neg, %p3back, %p3j : index
      %p3far = arith.cmpi sge, %p3low, %e1 : index
      %p3twice = arith.muli %p3last, %c2 : index
      %p3end = arith.subi %p3twice, %p3low : index
      %p3high = arith.select %p3far, %p3end, %p3low : index
      %p3h0 = arith.maxsi %p3high, %c0 : index
      %p3h1 = arith.minsi %p3h0, %p3last : index
      %x3 = array.index %a[%i0, %p3h1] : [n][m]f32
      %s3 = arith.addf %s2, %x3 : f32
      array.yield %s3 : f32
    }
    array.yield %rmirror1 : [m]f32
  }
  %rsymmetric0 = array.map (%i0 in %is0 : [n]index) {
    %rsymmetric1 = array.map (%i1 in %is1 : [m]index) {
      %v = array.index %a[%i0, %i1] : [n][m]f32
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
      %x0 = array.index %a[%p0h1, %i1] : [n][m]f32
      %s0 = arith.addf %v, %x0 : f32
      %p1j = arith.addi %i0, %c1 : index
      %p1last = arith.subi %e0, %c1 : index
      %p1neg = arith.cmpi sge, %p1j, %c0 : index
      %p1back = arith.subi %c0, %p1j : index
      %p1back1 = arith.subi %p1back, %c1 : index
      %p1low = arith.select %p1neg, %p1j, %p1back1 : index
      %p1in = arith.cmpi slt, %p1low, %e0 : index
      %p1twice = arith.addi %e0, %p1last : index
      %p1end = arith.subi %p1twice, %p1low : index
      %p1high = arith.select %p1in, %p1low, %p1end : index
      %p1h0 = arith.maxsi %p1high, %c0 : index
      %p1h1 = arith.minsi %p1h0, %p1last : index
      %x1 = array.index %a[%p1h1, %i1] : [n][m]f32
      %s1 = arith.addf %s0, %x1 : f32
      %p2j = arith.addi %i1, %c-1 : index
      %p2last = arith.subi %e1, %c1 : index
      %p2neg = arith.cmpi sge, %p2j, %c0 : index
      %p2back = arith.subi %c0, %p2j : index
      %p2back1 = arith.subi %p2back, %c1 : index
      %p2low = arith.select %p2neg, %p2j, %p2back1 : index
      %p2in = arith.cmpi slt, %p2low, %e1 : index
      %p2twice = arith.addi %e1, %p2last : index
      %p2end = arith.subi %p2twice, %p2low : index
      %p2high = arith.select %p2in, %p2low, %p2end : index
      %p2h0 = arith.maxsi %p2high, %c0 : index
      %p2h1 = arith.minsi %p2h0, %p2last : index
      %x2 = array.index %a[%i0, %p2h1] : [n][m]f32
      %s2 = arith.addf %s1, %x2 : f32
      %p3j = arith.addi %i1, %c1 : index
      %p3last = arith.subi %e1, %c1 : index
      %p3neg = arith.cmpi sge, %p3j, %c0 : index
      %p3back = arith.subi %c0, %p3j : index
      %p3back1 = arith.subi %p3back, %c1 : index
      %p3low = arith.select %p3neg, %p3j, %p3back1 : index
      %p3in = arith.cmpi slt, %p3low, %e1 : index
      %p3twice = arith.addi %e1, %p3last : index
      %p3end = arith.subi %p3twice, %p3low : index
      %p3high = arith.select %p3in, %p3low, %p3end : index
      %p3h0 = arith.maxsi %p3high, %c0 : index
      %p3h1 = arith.minsi %p3h0, %p3last : index
      %x3 = array.index %a[%i0, %p3h1] : [n][m]f32
      %s3 = arith.addf %s2, %x3 : f32
      array.yield %s3 : f32
    }
    array.yield %rsymmetric1 : [m]f32
  }
  %rwrap0 = array.map (%i0 in %is0 : [n]index) {
    %rwrap1 = array.map (%i1 in %is1 : [m]index) {
      %v = array.index %a[%i0, %i1] : [n][m]f32
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
      %x0 = array.index %a[%p0h1, %i1] : [n][m]f32
      %s0 = arith.addf %v, %x0 : f32
      %p1j = arith.addi %i0, %c1 : index
      %p1last = arith.subi %e0, %c1 : index
      %p1neg = arith.cmpi slt, %p1j, %c0 : index
      %p1over = arith.cmpi sge, %p1j, %e0 : index
      %p1more = arith.addi %p1j, %e0 : index
      %p1less = arith.subi %p1j, %e0 : index
      %p1x = arith.select %p1over, %p1less, %p1j : index
      %p1y = arith.select %p1neg, %p1more, %p1x : index
      %p1h0 = arith.maxsi %p1y, %c0 : index
      %p1h1 = arith.minsi %p1h0, %p1last : index
      %x1 = array.index %a[%p1h1, %i1] : [n][m]f32
      %s1 = arith.addf %s0, %x1 : f32
      %p2j = arith.addi %i1, %c-1 : index
      %p2last = arith.subi %e1, %c1 : index
      %p2neg = arith.cmpi slt, %p2j, %c0 : index
      %p2over = arith.cmpi sge, %p2j, %e1 : index
      %p2more = arith.addi %p2j, %e1 : index
      %p2less = arith.subi %p2j, %e1 : index
      %p2x = arith.select %p2over, %p2less, %p2j : index
      %p2y = arith.select %p2neg, %p2more, %p2x : index
      %p2h0 = arith.maxsi %p2y, %c0 : index
      %p2h1 = arith.minsi %p2h0, %p2last : index
      %x2 = array.index %a[%i0, %p2h1] : [n][m]f32
      %s2 = arith.addf %s1, %x2 : f32
      %p3j = arith.addi %i1, %c1 : index
      %p3last = arith.subi %e1, %c1 : index
      %p3neg = arith.cmpi slt, %p3j, %c0 : index
      %p3over = arith.cmpi sge, %p3j, %e1 : index
      %p3more = arith.addi %p3j, %e1 : index
      %p3less = arith.subi %p3j, %e1 : index
      %p3x = arith.select %p3over, %p3less, %p3j : index
      %p3y = arith.select %p3neg, %p3more, %p3x : index
      %p3h0 = arith.maxsi %p3y, %c0 : index
      %p3h1 = arith.minsi %p3h0, %p3last : index
      %x3 = array.index %a[%i0, %p3h1] : [n][m]f32
      %s3 = arith.addf %s2, %x3 : f32
      array.yield %s3 : f32
    }
    array.yield %rwrap1 : [m]f32
  }
  %rperiod0 = array.map (%i0 in %is0 : [n]index) {
    %rperiod1 = array.map (%i1 in %is1 : [m]index) {
      %v = array.index %a[%i0, %i1] : [n][m]f32
      %p0j = arith.addi %i0, %c-1 : index
      %p0last = arith.subi %e0, %c1 : index
      %p0twice = arith.addi %p0last, %p0last : index
      %p0by = arith.maxsi %p0twice, %c1 : index
      %p0m = arith.remsi %p0j, %p0by : index
      %p0m1 = arith.addi %p0m, %p0by : index
      %p0m2 = arith.remsi %p0m1, %p0by : index
      %p0end = arith.subi %p0twice, %p0m2 : index
      %p0r = arith.minsi %p0m2, %p0end : index
      %x0 = array.index %a[%p0r, %i1] : [n][m]f32
      %s0 = arith.addf %v, %x0 : f32
      %p1j = arith.addi %i0, %c1 : index
      %p1last = arith.subi %e0, %c1 : index
      %p1twice = arith.addi %p1last, %p1last : index
      %p1by = arith.maxsi %p1twice, %c1 : index
      %p1m = arith.remsi %p1j, %p1by : index
      %p1m1 = arith.addi %p1m, %p1by : index
      %p1m2 = arith.remsi %p1m1, %p1by : index
      %p1end = arith.subi %p1twice, %p1m2 : index
      %p1r = arith.minsi %p1m2, %p1end : index
      %x1 = array.index %a[%p1r, %i1] : [n][m]f32
      %s1 = arith.addf %s0, %x1 : f32
      %p2j = arith.addi %i1, %c-1 : index
      %p2last = arith.subi %e1, %c1 : index
      %p2twice = arith.addi %p2last, %p2last : index
      %p2by = arith.maxsi %p2twice, %c1 : index
      %p2m = arith.remsi %p2j, %p2by : index
      %p2m1 = arith.addi %p2m, %p2by : index
      %p2m2 = arith.remsi %p2m1, %p2by : index
      %p2end = arith.subi %p2twice, %p2m2 : index
      %p2r = arith.minsi %p2m2, %p2end : index
      %x2 = array.index %a[%i0, %p2r] : [n][m]f32
      %s2 = arith.addf %s1, %x2 : f32
      %p3j = arith.addi %i1, %c1 : index
      %p3last = arith.subi %e1, %c1 : index
      %p3twice = arith.addi %p3last, %p3last : index
      %p3by = arith.maxsi %p3twice, %c1 : index
      %p3m = arith.remsi %p3j, %p3by : index
      %p3m1 = arith.addi %p3m, %p3by : index
      %p3m2 = arith.remsi %p3m1, %p3by : index
      %p3end = arith.subi %p3twice, %p3m2 : index
      %p3r = arith.minsi %p3m2, %p3end : index
      %x3 = array.index %a[%i0, %p3r] : [n][m]f32
      %s3 = arith.addf %s2, %x3 : f32
      array.yield %s3 : f32
    }
    array.yield %rperiod1 : [m]f32
  }
  func.return %rclamp0, %rmirror0, %rsymmetric0, %rwrap0, %rperiod0 : !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>
}
