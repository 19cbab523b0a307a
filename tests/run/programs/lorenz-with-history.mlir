// run
// A trajectory that writes its history into a carried array, and another that keeps only the last three by rotation.
// inputs: 0.5; N where N = 0 1 2 3 50
// numpy: h = np.zeros(steps)
// numpy: x = x0
// numpy: a, b, c = x0, 0.0, 0.0
// numpy: for i in range(steps):
// numpy:     x = 3.7 * x * (1 - x)
// numpy:     h[i] = x
// numpy:     a, b, c = 0.5 * (b + c) + 0.1 * a + 0.01, a, b
// numpy: h, a, b, c
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%x0: f64, %steps: i64) -> (!array.array<[?]f64>, f64, f64, f64) {
  %c0_f64 = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3p7_f64 = arith.constant 3.7 : f64
  %c1_f64 = arith.constant 1.0 : f64
  %c0p5_f64 = arith.constant 0.5 : f64
  %c0p1_f64 = arith.constant 0.1 : f64
  %c01_f64 = arith.constant 0.01 : f64
  %0 = arith.index_cast %steps : i64 to index
  %1 = array.replicate %c0_f64, [%0] : f64 -> [?]f64
  %11, %12, %13, %14, %15 = scf.for %i = %c0 to %0 step %c1 iter_args(%x = %x0, %h = %1, %a = %x0, %b = %c0_f64, %c = %c0_f64) -> (f64, !array.array<[?]f64>, f64, f64, f64) {
    %2 = arith.mulf %x, %c3p7_f64 : f64
    %3 = arith.subf %c1_f64, %x : f64
    %4 = arith.mulf %2, %3 : f64
    %5 = array.update %4, %h[%i] : f64, [?]f64
    %6 = arith.addf %b, %c : f64
    %7 = arith.mulf %6, %c0p5_f64 : f64
    %8 = arith.mulf %a, %c0p1_f64 : f64
    %9 = arith.addf %7, %8 : f64
    %10 = arith.addf %9, %c01_f64 : f64
    scf.yield %4, %5, %10, %a, %b : f64, !array.array<[?]f64>, f64, f64, f64
  }
  func.return %12, %13, %14, %15 : !array.array<[?]f64>, f64, f64, f64
}
