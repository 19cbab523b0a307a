// run
// Loops over arrays of extents without a name: naive steps on a line that mirror by two, with an extent that the host asks, and a wave of
// two arrays that change places.
// inputs: random:N; K where N = 0 3 4 5 37 2049; K = 0 1 5 17
// numpy: n = len(a)
// numpy: i = np.arange(n)
// numpy: low, high = np.abs(i - 2), np.minimum(i + 2, 2 * n - 2 - (i + 2))
// numpy: u, v, w = a, a, a * np.float32(0.5)
// numpy: for t in range(k if n else 0):
// numpy:     u = (u[low] + u[high]) * u
// numpy:     v, w = (v[np.maximum(i - 1, 0)] + v[np.minimum(i + 1, n - 1)]) - w, v
// numpy: u, v, w
// structure: kernel.segmap 4
// versions: kernel.segmap 4
func.func @main(%a: !array.array<[?]f32>, %k: index) -> (!array.array<[?]f32>, !array.array<[?]f32>, !array.array<[?]f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  %n = array.dim %a, 0 : [?]f32
  %last = arith.subi %n, %c1 : index
  %end = arith.addi %last, %last : index
  %is = array.iota %n : [?]index
  %before = array.map (%x in %a : [?]f32) {
    %y = arith.mulf %x, %half : f32
    array.yield %y : f32
  }
  %r = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a) -> (!array.array<[?]f32>) {
    %v = array.map (%i in %is : [?]index) {
      %left = arith.subi %i, %c2 : index
      %outside = arith.cmpi slt, %left, %c0 : index
      %turned = arith.subi %c2, %i : index
      %low = arith.select %outside, %turned, %left : index
      %x0 = array.index %u[%low] : [?]f32
      %right = arith.addi %i, %c2 : index
      %back = arith.subi %end, %right : index
      %high = arith.minsi %right, %back : index
      %x1 = array.index %u[%high] : [?]f32
      %x2 = array.index %u[%i] : [?]f32
      %s0 = arith.addf %x0, %x1 : f32
      %s1 = arith.mulf %s0, %x2 : f32
      array.yield %s1 : f32
    }
    scf.yield %v : !array.array<[?]f32>
  }
  %w:2 = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a, %b = %before) -> (!array.array<[?]f32>, !array.array<[?]f32>) {
    %v = array.map (%i in %is : [?]index) {
      %left = arith.subi %i, %c1 : index
      %low = arith.maxsi %left, %c0 : index
      %x0 = array.index %u[%low] : [?]f32
      %right = arith.addi %i, %c1 : index
      %high = arith.minsi %right, %last : index
      %x1 = array.index %u[%high] : [?]f32
      %x2 = array.index %b[%i] : [?]f32
      %s0 = arith.addf %x0, %x1 : f32
      %s1 = arith.subf %s0, %x2 : f32
      array.yield %s1 : f32
    }
    scf.yield %v, %u : !array.array<[?]f32>, !array.array<[?]f32>
  }
  func.return %r, %w#0, %w#1 : !array.array<[?]f32>, !array.array<[?]f32>, !array.array<[?]f32>
}
