// run
// Parameters that nobody reads, arrays that nobody returns, constants and parameters as results.
// inputs: random:N; random:M; K; true where N = 0 1 5; M = 0 2; K = 3
// numpy: xs, k, np.int32(42), xs, f, np.arange(3), np.float64(0.5), len(unused)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]i32>, %unused: !array.array<[m]f32>, %k: i64, %f: i1) -> (!array.array<[n]i32>, i64, i32, !array.array<[n]i32>, i1, !array.array<[3]i64>, f64, i64) {
  %c1_f32 = arith.constant 1.0 : f32
  %c0_f32 = arith.constant 0.0 : f32
  %c42_i32 = arith.constant 42 : i32
  %c0p5_f64 = arith.constant 0.5 : f64
  %1 = array.map (%x in %unused : [m]f32) {
    %0 = arith.addf %x, %c1_f32 : f32
    array.yield %0 : f32
  }
  %3 = array.scan (%1 : [m]f32) init (%c0_f32 : f32) combine (%p, %q) {
    %2 = arith.addf %p, %q : f32
    array.yield %2 : f32
  }
  %4 = arith.constant dense<[0, 1, 2]> : tensor<3xi64>
  %5 = array.from_tensor %4 : tensor<3xi64>
  %6 = array.dim %unused, 0 : [m]f32
  %7 = arith.index_cast %6 : index to i64
  func.return %xs, %k, %c42_i32, %xs, %f, %5, %c0p5_f64, %7 : !array.array<[n]i32>, i64, i32, !array.array<[n]i32>, i1, !array.array<[3]i64>, f64, i64
}
