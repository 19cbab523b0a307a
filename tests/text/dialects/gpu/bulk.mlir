// round-trip
// A box of an array on its way to shared memory, and barriers that count what arrives.
builtin.module {
  func.func @tile(%x: memref<?xf16>, %i: index, %j: index, %n: index, %k: index, %s: memref<?xf16, #gpu.address_space<workgroup>>, %b: memref<?xi64, #gpu.address_space<workgroup>>, %p: index) {
    gpu.mbarrier_init %b[%i], 1 : memref<?xi64, #gpu.address_space<workgroup>>
    gpu.mbarrier_arrive %b[%i] expecting 16384 : memref<?xi64, #gpu.address_space<workgroup>>
    gpu.bulk_copy %x[%i, %j] of[%n, %k] to %s[%p] at %b[%i] {box = array<i64: 128, 64>, in_lines} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
    gpu.mbarrier_wait %b[%i] parity %p : memref<?xi64, #gpu.address_space<workgroup>>
    gpu.warp_barrier
    gpu.mbarrier_arrive %b[%i] : memref<?xi64, #gpu.address_space<workgroup>>
    func.return
  }
}
