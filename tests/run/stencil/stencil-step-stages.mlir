// run
// Steps of two stencils on a line, the second of what the first gives, with a map between that something else reads, too.
// inputs: random:N; random:N; K where N = 0 2 5 1100; K = 0 1 17
// numpy: e, h = a.astype(np.float64), b.astype(np.float64)
// numpy: n = len(e)
// numpy: for _ in range(steps):
// numpy:     e = e + (h - h[np.maximum(np.arange(n) - 1, 0)]) * 0.5
// numpy:     g = np.sqrt(np.abs(e))
// numpy:     h = h + (g[np.minimum(np.arange(n) + 1, n - 1)] - g) * 0.5
// numpy: e, h
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[n]f64>, %b: !array.array<[n]f64>, %steps: index) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%e = %a, %h = %b) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
    %e2 = array.stencil (%l, %o in %h : [n]f64 at [-1, 0] clamp, %x in %e : [n]f64 at [0]) {
      %d = arith.subf %o, %l : f64
      %k = arith.mulf %d, %half : f64
      %s = arith.addf %x, %k : f64
      array.yield %s : f64
    }
    %g = array.map (%x in %e2 : [n]f64) {
      %y = math.absf %x : f64
      %z = math.sqrt %y : f64
      array.yield %z : f64
    }
    %h2 = array.stencil (%o, %r in %g : [n]f64 at [0, 1] clamp, %x in %h : [n]f64 at [0]) {
      %d = arith.subf %r, %o : f64
      %k = arith.mulf %d, %half : f64
      %s = arith.addf %x, %k : f64
      array.yield %s : f64
    }
    scf.yield %e2, %h2 : !array.array<[n]f64>, !array.array<[n]f64>
  }
  func.return %r#0, %r#1 : !array.array<[n]f64>, !array.array<[n]f64>
}
