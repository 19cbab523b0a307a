// errors: builtin.module(func.func(choose-mapping),lower-to-gpu)
// Sums that no warp of threads holds are not multiplied by tensor cores.
func.func @alone(%n: index, %as: tensor<16x16xf16>, %bs: tensor<16x16xf16>, %c: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %s:8 = kernel.contract %as, %bs[%c0] at [%c0, %c0] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<16x16xf16>, tensor<16x16xf16> to f32
    kernel.return %s#0 : f32
  }
  func.return %r : tensor<?xf32>
}
// Warpgroups multiply what a segmap has put into shared memory in lines.
func.func @given(%n: index, %as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %c: f32) -> tensor<?x32x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x32x4xf32>) {
    %t = kernel.segmap thread (%p < %c32, %q < %c4) -> (tensor<32x4xf32>) {
      %s:32 = kernel.contract %as, %bs[%c0] at [%p, %q] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c {apart = 8 : i64, depth = 64 : i64, registers = array<i64: 2, 16>, runs = array<i64: 1, 2>, threads = array<i64: 32, 4>, warpgroups} : tensor<64x64xf16>, tensor<64x64xf16> to f32
      kernel.return %s#0 : f32
    }
    %u = kernel.segmap thread (%p < %c32, %q < %c4) -> (tensor<32x4xf32>) {
      %x = tensor.extract %t[%p, %q] : tensor<32x4xf32>
      kernel.return %x : f32
    }
    kernel.return %u : tensor<32x4xf32>
  }
  func.return %r : tensor<?x32x4xf32>
}
// ===== expected
input:6:12: error: 'kernel.contract' op needs a thread for each of its points, which holds the sums
  |
6 |     %s:8 = kernel.contract %as, %bs[%c0] at [%c0, %c0] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2...
  |            ^^^^^^^^^^^^^^^
  |
  = op: %s:8 = "kernel.contract"(%as, %bs, %c0, %c0, %c0, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>}> : (memref<16x16xf16>, memref<16x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:18:15: error: 'kernel.contract' op needs arrays in shared memory, in lines of 128 bytes, and to begin at a constant
   |
18 |       %s:32 = kernel.contract %as, %bs[%c0] at [%p, %q] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, ...
   |               ^^^^^^^^^^^^^^^
   |
   = op: %s:32 = "kernel.contract"(%as, %bs, %c0, %p, %q, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c) <{apart = 8 : i64, depth = 64 : i64, registers = array<i64: 2, 16>, runs = array<i64: 1, 2>, threads = array<i64: 32, 4>, warpgroups}> : (memref<64x64xf16>, memref<64x64xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
