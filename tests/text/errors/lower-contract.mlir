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
// ===== expected
input:6:12: error: 'kernel.contract' op needs a thread for each of its points, which holds the sums
  |
6 |     %s:8 = kernel.contract %as, %bs[%c0] at [%c0, %c0] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2...
  |            ^^^^^^^^^^^^^^^
  |
  = op: %s:8 = "kernel.contract"(%as, %bs, %c0, %c0, %c0, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>}> : (memref<16x16xf16>, memref<16x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
