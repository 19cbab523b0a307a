// round-trip
// Sums of products by tensor cores: a thread of 8 by 4 with two rows of four columns.
builtin.module {
  func.func @marked(%n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c16 = arith.constant 16 : index
    %0 = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %1 = kernel.segmap thread contract registers [2, 4] runs [1, 2] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        kernel.return %zero : f32
      }
      kernel.return %1 : tensor<16x16xf32>
    }
    func.return %0 : tensor<?x16x16xf32>
  }
  func.func @sums(%as: tensor<16x32xf16>, %bs: tensor<16x32xf16>, %k: index, %y: index, %x: index, %c: f32) -> f32 {
    %0:8 = kernel.contract %as, %bs[%k] at[%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, transpose_b} : tensor<16x32xf16>, tensor<16x32xf16>
    func.return %0#7 : f32
  }
}
