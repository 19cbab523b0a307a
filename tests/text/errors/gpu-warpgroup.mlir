// errors
// Where matrices lie, and what a thread has of their product.
func.func @global(%a: memref<?xf16>, %b: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %c: f32) {
  %0:32 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 64 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
  func.return
}
func.func @sums(%a: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %c: f32) {
  %0:2 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 64 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32
  func.return
}
func.func @columns(%a: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %c: f32) {
  %0:2 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 4 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32
  func.return
}
func.func @steps(%a: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %c: f32) {
  %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 512>, columns = 8 : i64, starts_a = array<i64: 0, 16>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32
  func.return
}
func.func @lines(%a: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %c: f32) {
  %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 500 : i64, apart_b = array<i64: 0, 512>, columns = 8 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32
  func.return
}
func.func @part(%a: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %c: f32) {
  %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 0, 512>, columns = 8 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32
  %1:3 = gpu.warpgroup_wait %0#0, %0#1, %0#2 : f32, f32, f32
  func.return
}
// ===== expected
input:4:11: error: 'gpu.warpgroup_mma' op operands `a` and `b` must be flat arrays of f16, or of bf16, in workgroup memory
  |
4 |   %0:32 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c...
  |           ^^^^^^^^^^^^^^^^^
  |
  = op: %0:32 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 64 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
input:8:10: error: 'gpu.warpgroup_mma' op a thread has 32 sums of f32, but there are 2 operands
  |
8 |   %0:2 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 64 : i64, start...
  |          ^^^^^^^^^^^^^^^^^
  |
  = op: %0:2 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 64 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32
input:12:10: error: 'gpu.warpgroup_mma' op attribute `columns` must be a multiple of 8 up to 256, not 4
   |
12 |   %0:2 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 4 : i64, start...
   |          ^^^^^^^^^^^^^^^^^
   |
   = op: %0:2 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 4 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32
input:16:10: error: 'gpu.warpgroup_mma' op attributes `starts_a` and `starts_b` must have a number for each step
   |
16 |   %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 512>, columns = 8 : i64, sta...
   |          ^^^^^^^^^^^^^^^^^
   |
   = op: %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 512>, columns = 8 : i64, starts_a = array<i64: 0, 16>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32
input:16:10: error: 'gpu.warpgroup_mma' op attribute `apart_b` must have 2 numbers
   |
16 |   %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 512>, columns = 8 : i64, sta...
   |          ^^^^^^^^^^^^^^^^^
   |
   = op: %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 512>, columns = 8 : i64, starts_a = array<i64: 0, 16>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32
input:20:10: error: 'gpu.warpgroup_mma' op steps begin at multiples of 8 numbers and groups at those of 512, but 500 is no multiple of 512
   |
20 |   %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 500 : i64, apart_b = array<i64: 0, 512>, columns = 8 : i64, ...
   |          ^^^^^^^^^^^^^^^^^
   |
   = op: %0:4 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c {apart_a = 500 : i64, apart_b = array<i64: 0, 512>, columns = 8 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 0>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32
input:25:10: error: 'gpu.warpgroup_wait' op waits for all sums of one `gpu.warpgroup_mma`, in their order
   |
25 |   %1:3 = gpu.warpgroup_wait %0#0, %0#1, %0#2 : f32, f32, f32
   |          ^^^^^^^^^^^^^^^^^^
   |
   = op: %1:3 = gpu.warpgroup_wait %0#0, %0#1, %0#2 : f32, f32, f32
