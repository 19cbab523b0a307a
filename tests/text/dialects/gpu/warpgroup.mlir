// round-trip
// Matrices in shared memory, in lines of 128 bytes, that a warpgroup multiplies.
builtin.module {
  func.func @rows(%a: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xf16, #gpu.address_space<workgroup>>, %i: index, %c: f32) -> f32 {
    %0:32 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c {apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 64 : i64, starts_a = array<i64: 0, 16>, starts_b = array<i64: 0, 16>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
    %1:32 = gpu.warpgroup_wait %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14, %0#15, %0#16, %0#17, %0#18, %0#19, %0#20, %0#21, %0#22, %0#23, %0#24, %0#25, %0#26, %0#27, %0#28, %0#29, %0#30, %0#31 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
    func.return %1#31 : f32
  }
  func.func @columns(%a: memref<?xbf16, #gpu.address_space<workgroup>>, %b: memref<?xbf16, #gpu.address_space<workgroup>>, %i: index, %c: f32) -> f32 {
    %0:32 = gpu.warpgroup_mma %a[%i], %b[%i] add %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c {across_b, apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 64 : i64, starts_a = array<i64: 0>, starts_b = array<i64: 1024>} : memref<?xbf16, #gpu.address_space<workgroup>>, memref<?xbf16, #gpu.address_space<workgroup>> to f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
    func.return %0#0 : f32
  }
}
