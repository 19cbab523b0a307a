// round-trip
// Copies of 4, 8 and 16 bytes, a part of which may be zeros; groups of them; what a thread waits for.
builtin.module {
  func.func @copies(%xs: memref<?xf32>, %hs: memref<4x?xf16, 1>, %tile: memref<?xf32, #gpu.address_space<workgroup>>, %rows: memref<4x8xf16, 3>, %i: index, %n: index) {
    %a = nvgpu.device_async_copy %xs[%i], %tile[%i], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
    %b = nvgpu.device_async_copy %xs[%i], %tile[%n], 4, %n {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
    %c = nvgpu.device_async_copy %hs[%i, %n], %rows[%n, %i], 4 : memref<4x?xf16, 1> to memref<4x8xf16, 3>
    %g = nvgpu.device_async_create_group %a, %b, %c
    %h = nvgpu.device_async_create_group {}
    %m = arith.addi %i, %n : index
    nvgpu.device_async_wait %g {numGroups = 1 : i32}
    nvgpu.device_async_wait %h
    func.return
  }
}
