// errors
// Tensor cores multiply numbers of 16 bits, in fragments of 16 rows, 8 columns and 16 steps.
func.func @sums(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:4 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<16x32xf16>, tensor<32x16xf16> to f32
  func.return
}
func.func @depth(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 24 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<16x32xf16>, tensor<32x16xf16> to f32
  func.return
}
func.func @threads(%as: tensor<12x32xf16>, %bs: tensor<32x16xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 6, 4>} : tensor<12x32xf16>, tensor<32x16xf16> to f32
  func.return
}
func.func @numbers(%as: tensor<16x32xf32>, %bs: tensor<32x16xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<16x32xf32>, tensor<32x16xf16> to f32
  func.return
}
func.func @extents(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, transpose_a, transpose_b} : tensor<16x32xf16>, tensor<32x16xf16> to f32
  func.return
}
func.func @marked(%n: index) -> tensor<?x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c16 = arith.constant 16 : index
  %0 = kernel.segmap block (%i < %n) -> (tensor<?x16x16xf32>) {
    %1 = kernel.segmap thread contract registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
      kernel.return %zero : f32
    }
    kernel.return %1 : tensor<16x16xf32>
  }
  func.return %0 : tensor<?x16x16xf32>
}
func.func @unsigned(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, unsigned_a} : tensor<16x32xf16>, tensor<32x16xf16> to f32
  func.return
}
func.func @rounded(%as: tensor<16x32xf32>, %bs: tensor<32x16xf32>, %k: index, %y: index, %x: index, %c: f32) {
  %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c tf32 downward {depth = 8 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<16x32xf32>, tensor<32x16xf32> to f32
  func.return
}
func.func @halves_rounded(%as: tensor<16x32xf16>, %bs: tensor<32x16xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c tf32 to_nearest_away {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>} : tensor<16x32xf16>, tensor<32x16xf16> to f32
  func.return
}
func.func @since(%n: index, %x: f32) -> tensor<?xf32> {
  %0 = "kernel.segmap"(%n) <{level = 2 : i32, since = 80 : i64}> ({
  ^bb0(%i: index):
    kernel.return %x : f32
  }) : (index) -> tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
func.func @capability() -> i1 {
  %0 = kernel.target_since -1
  func.return %0 : i1
}
func.func @warpgroups(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 32, 4>, warpgroups} : tensor<64x64xf16>, tensor<64x64xf16> to f32
  func.return
}
func.func @across(%as: tensor<64x64xf16>, %bs: tensor<64x64xf16>, %k: index, %y: index, %x: index, %c: f32) {
  %0:32 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c {apart = 8 : i64, depth = 16 : i64, registers = array<i64: 2, 16>, runs = array<i64: 1, 2>, threads = array<i64: 32, 4>, transpose_a, warpgroups} : tensor<64x64xf16>, tensor<64x64xf16> to f32
  func.return
}
func.func @marked_together(%n: index) -> tensor<?x64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  %0 = kernel.segmap block (%i < %n) -> (tensor<?x64x32xf32>) {
    %1 = kernel.segmap thread contract warpgroups registers [2, 8] runs [1, 2] apart 8 (%p < %c64, %q < %c32) -> (tensor<64x32xf32>) {
      kernel.return %zero : f32
    }
    kernel.return %1 : tensor<64x32xf32>
  }
  func.return %0 : tensor<?x64x32xf32>
}
// ===== expected
input:4:10: error: 'kernel.contract' op has 4 sums for 8 points of a thread
  |
4 |   %0:4 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i6...
  |          ^^^^^^^^^^^^^^^
  |
  = op: %0:4 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>}> : (tensor<16x32xf16>, tensor<32x16xf16>, index, index, index, f32, f32, f32, f32) -> (f32, f32, f32, f32)
input:8:10: error: 'kernel.contract' op attribute `depth` must be a positive multiple of 16, not 24
  |
8 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 24 : i64, registers = array<i64: 2, 4>,...
  |          ^^^^^^^^^^^^^^^
  |
  = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 24 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>}> : (tensor<16x32xf16>, tensor<32x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:12:10: error: 'kernel.contract' op threads must be multiples of 8 and 4, rows of a thread of 2, columns of 4 in runs of 2
   |
12 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>...
   |          ^^^^^^^^^^^^^^^
   |
   = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 6, 4>}> : (tensor<12x32xf16>, tensor<32x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:16:10: error: 'kernel.contract' op operands `a` and `b` must have one element type, and sums a type, that tensor cores multiply and add: f16 to f32 or f16, bf16 to f32, f32 by way of tf32, i8 to i32, f64 to f64
   |
16 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>...
   |          ^^^^^^^^^^^^^^^
   |
   = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>}> : (tensor<16x32xf32>, tensor<32x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:20:10: error: 'kernel.contract' op operand `a` must have known extents, any by 16
   |
20 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>...
   |          ^^^^^^^^^^^^^^^
   |
   = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, transpose_a, transpose_b}> : (tensor<16x32xf16>, tensor<32x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:20:10: error: 'kernel.contract' op operand `b` must have known extents, 16 by any
   |
20 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>...
   |          ^^^^^^^^^^^^^^^
   |
   = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, transpose_a, transpose_b}> : (tensor<16x32xf16>, tensor<32x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:27:10: error: 'kernel.segmap' op is for tensor cores, so it needs `registers` of an even number of columns, `runs [1, 2]`, and a multiple of 8 by 4 threads
   |
27 |     %1 = kernel.segmap thread contract registers [2, 4] runs [1, 4] (%p < %c16, %q < %c16) -> (tensor<16x16xf32>) {
   |          ^^^^^^^^^^^^^
   |
   = op: %1 = "kernel.segmap"(%c16, %c16) <{contract, level = 2 : i32, registers = array<i64: 2, 4>, runs = array<i64: 1, 4>}> ({...}) : (index, index) -> tensor<16x16xf32>
input:35:10: error: 'kernel.contract' op attributes `unsigned_a` and `unsigned_b` are for integers
   |
35 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>...
   |          ^^^^^^^^^^^^^^^
   |
   = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 8, 4>, unsigned_a}> : (tensor<16x32xf16>, tensor<32x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:39:10: error: 'kernel.contract' op attribute `tf32` rounds to the nearest number, ties to even or away from zero
   |
39 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c tf32 downward {depth = 8 : i64, registers = arr...
   |          ^^^^^^^^^^^^^^^
   |
   = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 8 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, tf32 = 1 : i32, threads = array<i64: 8, 4>}> : (tensor<16x32xf32>, tensor<32x16xf32>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:43:10: error: 'kernel.contract' op operands `a` and `b` must have one element type, and sums a type, that tensor cores multiply and add: f16 to f32 or f16, bf16 to f32, f32 by way of tf32, i8 to i32, f64 to f64
   |
43 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c tf32 to_nearest_away {depth = 16 : i64, registe...
   |          ^^^^^^^^^^^^^^^
   |
   = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, tf32 = 4 : i32, threads = array<i64: 8, 4>}> : (tensor<16x32xf16>, tensor<32x16xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:47:8: error: 'kernel.segmap' op has `since` or `warpgroups` without `contract`
   |
47 |   %0 = "kernel.segmap"(%n) <{level = 2 : i32, since = 80 : i64}> ({
   |        ^^^^^^^^^^^^^^^
   |
   = op: %0 = "kernel.segmap"(%n) <{level = 2 : i32, since = 80 : i64}> ({...}) : (index) -> tensor<?xf32>
input:54:8: error: 'kernel.target_since' op attribute `capability` must not be negative
   |
54 |   %0 = kernel.target_since -1
   |        ^^^^^^^^^^^^^^^^^^^
   |
   = op: %0 = kernel.target_since -1
input:58:10: error: 'kernel.contract' op warpgroups multiply f16 or bf16 to f32: `a` in rows along the depth, rows of arrays of whole lines of 128 bytes; a thread has 2 rows, 8 apart, and columns in runs of 2; threads are multiples of 32, and 4
   |
58 |   %0:8 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c {depth = 16 : i64, registers = array<i64: 2, 4>...
   |          ^^^^^^^^^^^^^^^
   |
   = op: %0:8 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c) <{depth = 16 : i64, registers = array<i64: 2, 4>, runs = array<i64: 1, 2>, threads = array<i64: 32, 4>, warpgroups}> : (tensor<64x64xf16>, tensor<64x64xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
input:62:11: error: 'kernel.contract' op warpgroups multiply f16 or bf16 to f32: `a` in rows along the depth, rows of arrays of whole lines of 128 bytes; a thread has 2 rows, 8 apart, and columns in runs of 2; threads are multiples of 32, and 4
   |
62 |   %0:32 = kernel.contract %as, %bs[%k] at [%y, %x] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %...
   |           ^^^^^^^^^^^^^^^
   |
   = op: %0:32 = "kernel.contract"(%as, %bs, %k, %y, %x, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c) <{apart = 8 : i64, depth = 16 : i64, registers = array<i64: 2, 16>, runs = array<i64: 1, 2>, threads = array<i64: 32, 4>, transpose_a, warpgroups}> : (tensor<64x64xf16>, tensor<64x64xf16>, index, index, index, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
input:70:10: error: 'kernel.segmap' op is for warpgroups, so it needs a multiple of 64 rows, 64, 128, 192 or 256 columns, `registers` of 2 and of a quarter of the columns, and `runs [1, 2] apart 8`
   |
70 |     %1 = kernel.segmap thread contract warpgroups registers [2, 8] runs [1, 2] apart 8 (%p < %c64, %q < %c32) -> (tensor<64x32xf32>) {
   |          ^^^^^^^^^^^^^
   |
   = op: %1 = "kernel.segmap"(%c64, %c32) <{apart = 8 : i64, contract, level = 2 : i32, registers = array<i64: 2, 8>, runs = array<i64: 1, 2>, warpgroups}> ({...}) : (index, index) -> tensor<64x32xf32>
