// run
// Functions of rows called in maps, in loops and of each other, with sizes of their own names.
// inputs: random:NxM; K where N = 0 1 5; M = 1 2 33; K = 0 1 3
// numpy: def norm(r):
// numpy:     return r - r.mean()
// numpy: a = np.array([norm(r) for r in xs]).reshape(xs.shape)
// numpy: b = xs.copy()
// numpy: for i in range(k):
// numpy:     b = np.array([norm(r[::-1]) * 2 for r in b]).reshape(xs.shape)
// numpy: a, b, np.array([norm(r[1:]).max(initial=-1) for r in xs], np.float64)
// shapes: 6
// structure: kernel.segmap 2, kernel.segred 4
// versions: kernel.segmap 8, kernel.segred 8
func.func private @mean(%v: !array.array<[p]f64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = array.reduce (%v : [p]f64) init (%zero : f64) combine arith.addf
  %n = array.dim %v, 0 : [p]f64
  %n64 = arith.index_cast %n : index to i64
  %f = arith.sitofp %n64 : i64 to f64
  %m = arith.divf %s, %f : f64
  func.return %m : f64
}
func.func private @norm(%v: !array.array<[q]f64>) -> !array.array<[q]f64> {
  %m = func.call @mean(%v) : (!array.array<[q]f64>) -> f64
  %r = array.map (%x in %v : [q]f64) {
    %y = arith.subf %x, %m : f64
    array.yield %y : f64
  }
  func.return %r : !array.array<[q]f64>
}
func.func @main(%xs: !array.array<[n][m]f64>, %k: index) -> (!array.array<[n][m]f64>, !array.array<[n][m]f64>, !array.array<[n]f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %low = arith.constant -1.0 : f64
  %a = array.map (%r in %xs : [n][m]f64) {
    %y = func.call @norm(%r) : (!array.array<[m]f64>) -> !array.array<[m]f64>
    array.yield %y : !array.array<[m]f64>
  }
  %b = scf.for %i = %c0 to %k step %c1 iter_args(%v = %xs) -> (!array.array<[n][m]f64>) {
    %w = array.map (%r in %v : [n][m]f64) {
      %back = array.reverse %r, 0 : [m]f64
      %y = func.call @norm(%back) : (!array.array<[m]f64>) -> !array.array<[m]f64>
      %z = array.map (%e in %y : [m]f64) {
        %f = arith.mulf %e, %two : f64
        array.yield %f : f64
      }
      array.yield %z : !array.array<[m]f64>
    }
    scf.yield %w : !array.array<[n][m]f64>
  }
  %m = array.dim %xs, 1 : [n][m]f64
  %less = arith.subi %m, %c1 : index
  %c = array.map (%r in %xs : [n][m]f64) {
    %tail = array.slice %r[%c1] sizes [%less] strides [%c1] : [m]f64 -> [?]f64
    %y = func.call @norm(%tail) : (!array.array<[?]f64>) -> !array.array<[?]f64>
    %t = array.reduce (%y : [?]f64) init (%low : f64) combine arith.maximumf
    array.yield %t : f64
  }
  func.return %a, %b, %c : !array.array<[n][m]f64>, !array.array<[n][m]f64>, !array.array<[n]f64>
}
