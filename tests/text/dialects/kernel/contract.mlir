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
    %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, transpose_b} : tensor<16x32xf16>, tensor<16x32xf16> to f32
    func.return %0#7 : f32
  }
  func.func @since(%n: index) -> tensor<?x16x16xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c16 = arith.constant 16 : index
    %0 = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
      %1 = kernel.segmap thread contract since 80 registers [2, 4] runs [1, 2] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
        kernel.return %zero : f32
      }
      kernel.return %1 : tensor<16x16xf32>
    }
    func.return %0 : tensor<?x16x16xf32>
  }
  func.func @bytes(%as: tensor<16x32xi8>, %bs: tensor<16x32xi8>, %k: index, %y: index, %x: index, %c: i32) -> i32 {
    %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 32 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, transpose_b, unsigned_b} : tensor<16x32xi8>, tensor<16x32xi8> to i32
    func.return %0#7 : i32
  }
  func.func @rounded(%as: tensor<16x32xf32>, %bs: tensor<16x32xf32>, %k: index, %y: index, %x: index, %c: f32) -> f32 {
    %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c tf32 to_nearest_away {depth = 8 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, transpose_b} : tensor<16x32xf32>, tensor<16x32xf32> to f32
    func.return %0#7 : f32
  }
  func.func @doubles(%as: tensor<8x32xf64>, %bs: tensor<32x8xf64>, %k: index, %y: index, %x: index, %c: f64) -> f64 {
    %0:2 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c {depth = 4 : i64, registers = array<i64: 1, 2>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<8x32xf64>, tensor<32x8xf64> to f64
    func.return %0#1 : f64
  }
  func.func @target() -> i1 {
    %0 = kernel.target_since 80
    func.return %0 : i1
  }
  func.func @together(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %k: index, %y: index, %x: index, %c: f32) -> f32 {
    %0:32 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c {apart = 8 : i64, depth = 64 : i64, registers = array<i64: 2, 16>, runs = array<i64: 1, 2>, threads = array<i64: 32, 4>, warpgroups} : tensor<64x64xf16>, tensor<64x64xf16> to f32
    func.return %0#0 : f32
  }
  func.func @marked_together(%n: index) -> tensor<?x64x64xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %c64 = arith.constant 64 : index
    %0 = kernel.segmap block (%i < %n) -> (tensor<?x64x64xf32>) {
      %1 = kernel.segmap thread contract warpgroups registers [2, 16] runs [1, 2] apart 8 (%p < %c64, %q < %c64) -> (tensor<64x64xf32>) {
        kernel.return %zero : f32
      }
      kernel.return %1 : tensor<64x64xf32>
    }
    func.return %0 : tensor<?x64x64xf32>
  }
}
