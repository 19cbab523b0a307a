// round-trip
// Buffers: allocation, access, copies, views, globals.
builtin.module {
  memref.global "private" @table : memref<4xf32> = dense<1.000000e+00>
  func.func @memory(%n: index, %i: index, %x: f32, %b: memref<?x8xf32>) {
    %0 = memref.alloc(%n) : memref<?xf32>
    %1 = memref.alloca() : memref<4xi32>
    %2 = memref.load %0[%i] : memref<?xf32>
    memref.store %x, %0[%i] : memref<?xf32>
    %3 = memref.dim %0, %i : memref<?xf32>
    %4 = memref.cast %0 : memref<?xf32> to memref<16xf32>
    memref.copy %4, %4 : memref<16xf32> to memref<16xf32>
    %5 = memref.subview %b[%i, 0] [%n, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
    %6 = memref.get_global @table : memref<4xf32>
    %7 = memref.reinterpret_cast %0 to offset: [%i], sizes: [%n, 2], strides: [2, 1] : memref<?xf32> to memref<?x2xf32, strided<[2, 1], offset: ?>>
    %8 = memref.atomic_rmw addf %x, %0[%i] : (f32, memref<?xf32>) -> f32
    memref.dealloc %0 : memref<?xf32>
    func.return
  }
}
