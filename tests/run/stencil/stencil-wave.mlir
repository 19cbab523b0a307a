// run
// A wave on a line, step after step: two fields that change places, with a speed that differs along the line, and an
// asymmetric neighbourhood.
// inputs: random:N; random:N; random:N; K where N = 0 1 2 5 1100 2500; K = 0 1 2 16 19
// numpy: u, v = now.astype(np.float64), before.astype(np.float64)
// numpy: n = len(u)
// numpy: at = lambda a, o: a[np.pad(np.arange(n), 2, mode="reflect")[np.arange(n) + o + 2]] if n else a
// numpy: for _ in range(steps):
// numpy:     u, v = u + (u - v) * 0.5 + speed * (at(u, 1) - u - u + at(u, -2)) * 0.125, u
// numpy: u, v
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%now: !array.array<[n]f64>, %before: !array.array<[n]f64>, %speed: !array.array<[n]f64>, %steps: index) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %eighth = arith.constant 0.125 : f64
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %now, %v = %before) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
    %w = array.stencil (%l, %c, %h in %u : [n]f64 at [-2, 0, 1] mirror, %o in %v : [n]f64 at [0], %s in %speed : [n]f64 at [0]) {
      %d = arith.subf %c, %o : f64
      %e = arith.mulf %d, %half : f64
      %f = arith.addf %c, %e : f64
      %g = arith.subf %h, %c : f64
      %i = arith.subf %g, %c : f64
      %j = arith.addf %i, %l : f64
      %k = arith.mulf %s, %j : f64
      %m = arith.mulf %k, %eighth : f64
      %x = arith.addf %f, %m : f64
      array.yield %x : f64
    }
    scf.yield %w, %u : !array.array<[n]f64>, !array.array<[n]f64>
  }
  func.return %r#0, %r#1 : !array.array<[n]f64>, !array.array<[n]f64>
}
