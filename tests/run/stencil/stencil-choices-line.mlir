// run
// Naive programs on a line whose indices are brought back by choices, also from further away than a small array is long: those that
// have no form of their own are told by cases.
// inputs: random:N where N = 0 1 2 3 4 5 1023 1025
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
// numpy:     for axis, by in ((0, -2), (0, 2)):
// numpy:         n = a.shape[axis]
// numpy:         total = total + np.take(a, rule(np.arange(n) + by, n), axis)
// numpy:     return total
// numpy: *(run(rule) for rule in (clamp, mirror, symmetric, wrap, period)),
// structure: kernel.segmap 8
// versions: kernel.segmap 8
func.func @main(%a: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
  %c-2 = arith.constant -2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e0 = array.dim %a, 0 : [n]f32
  %is0 = array.iota %e0 : [n]index
  %rclamp0 = array.map (%i0 in %is0 : [n]index) {
    %v = array.index %a[%i0] : [n]f32
    %p0j = arith.addi %i0, %c-2 : index
    %p0last = arith.subi %e0, %c1 : index
    %p0neg = arith.cmpi slt, %p0j, %c0 : index
    %p0low = arith.select %p0neg, %c0, %p0j : index
    %p0far = arith.cmpi sgt, %p0low, %p0last : index
    %p0r = arith.select %p0far, %p0last, %p0low : index
    %x0 = array.index %a[%p0r] : [n]f32
    %s0 = arith.addf %v, %x0 : f32
    %p1j = arith.addi %i0, %c2 : index
    %p1last = arith.subi %e0, %c1 : index
    %p1neg = arith.cmpi slt, %p1j, %c0 : index
    %p1low = arith.select %p1neg, %c0, %p1j : index
    %p1far = arith.cmpi sgt, %p1low, %p1last : index
    %p1r = arith.select %p1far, %p1last, %p1low : index
    %x1 = array.index %a[%p1r] : [n]f32
    %s1 = arith.addf %s0, %x1 : f32
    array.yield %s1 : f32
  }
  %rmirror0 = array.map (%i0 in %is0 : [n]index) {
    %v = array.index %a[%i0] : [n]f32
    %p0j = arith.addi %i0, %c-2 : index
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
    %x0 = array.index %a[%p0h1] : [n]f32
    %s0 = arith.addf %v, %x0 : f32
    %p1j = arith.addi %i0, %c2 : index
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
    %x1 = array.index %a[%p1h1] : [n]f32
    %s1 = arith.addf %s0, %x1 : f32
    array.yield %s1 : f32
  }
  %rsymmetric0 = array.map (%i0 in %is0 : [n]index) {
    %v = array.index %a[%i0] : [n]f32
    %p0j = arith.addi %i0, %c-2 : index
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
    %x0 = array.index %a[%p0h1] : [n]f32
    %s0 = arith.addf %v, %x0 : f32
    %p1j = arith.addi %i0, %c2 : index
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
    %x1 = array.index %a[%p1h1] : [n]f32
    %s1 = arith.addf %s0, %x1 : f32
    array.yield %s1 : f32
  }
  %rwrap0 = array.map (%i0 in %is0 : [n]index) {
    %v = array.index %a[%i0] : [n]f32
    %p0j = arith.addi %i0, %c-2 : index
    %p0last = arith.subi %e0, %c1 : index
    %p0neg = arith.cmpi slt, %p0j, %c0 : index
    %p0over = arith.cmpi sge, %p0j, %e0 : index
    %p0more = arith.addi %p0j, %e0 : index
    %p0less = arith.subi %p0j, %e0 : index
    %p0x = arith.select %p0over, %p0less, %p0j : index
    %p0y = arith.select %p0neg, %p0more, %p0x : index
    %p0h0 = arith.maxsi %p0y, %c0 : index
    %p0h1 = arith.minsi %p0h0, %p0last : index
    %x0 = array.index %a[%p0h1] : [n]f32
    %s0 = arith.addf %v, %x0 : f32
    %p1j = arith.addi %i0, %c2 : index
    %p1last = arith.subi %e0, %c1 : index
    %p1neg = arith.cmpi slt, %p1j, %c0 : index
    %p1over = arith.cmpi sge, %p1j, %e0 : index
    %p1more = arith.addi %p1j, %e0 : index
    %p1less = arith.subi %p1j, %e0 : index
    %p1x = arith.select %p1over, %p1less, %p1j : index
    %p1y = arith.select %p1neg, %p1more, %p1x : index
    %p1h0 = arith.maxsi %p1y, %c0 : index
    %p1h1 = arith.minsi %p1h0, %p1last : index
    %x1 = array.index %a[%p1h1] : [n]f32
    %s1 = arith.addf %s0, %x1 : f32
    array.yield %s1 : f32
  }
  %rperiod0 = array.map (%i0 in %is0 : [n]index) {
    %v = array.index %a[%i0] : [n]f32
    %p0j = arith.addi %i0, %c-2 : index
    %p0last = arith.subi %e0, %c1 : index
    %p0twice = arith.addi %p0last, %p0last : index
    %p0by = arith.maxsi %p0twice, %c1 : index
    %p0m = arith.remsi %p0j, %p0by : index
    %p0m1 = arith.addi %p0m, %p0by : index
    %p0m2 = arith.remsi %p0m1, %p0by : index
    %p0end = arith.subi %p0twice, %p0m2 : index
    %p0r = arith.minsi %p0m2, %p0end : index
    %x0 = array.index %a[%p0r] : [n]f32
    %s0 = arith.addf %v, %x0 : f32
    %p1j = arith.addi %i0, %c2 : index
    %p1last = arith.subi %e0, %c1 : index
    %p1twice = arith.addi %p1last, %p1last : index
    %p1by = arith.maxsi %p1twice, %c1 : index
    %p1m = arith.remsi %p1j, %p1by : index
    %p1m1 = arith.addi %p1m, %p1by : index
    %p1m2 = arith.remsi %p1m1, %p1by : index
    %p1end = arith.subi %p1twice, %p1m2 : index
    %p1r = arith.minsi %p1m2, %p1end : index
    %x1 = array.index %a[%p1r] : [n]f32
    %s1 = arith.addf %s0, %x1 : f32
    array.yield %s1 : f32
  }
  func.return %rclamp0, %rmirror0, %rsymmetric0, %rwrap0, %rperiod0 : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
}
