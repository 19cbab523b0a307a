// round-trip
// Every op of memref and vector, in its custom form.
builtin.module {
  memref.global "private" constant @table : memref<4xf32> = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> {alignment = 16 : i64}
  memref.global @scratch : memref<4xf32> = uninitialized
  memref.global "private" @external : memref<4xf32>
  func.func @memory(%m: memref<?x4xf32>, %i: index, %x: f32) -> f32 {
    %0 = memref.alloc(%i) {alignment = 64 : i64} : memref<?x4xf32>
    %1 = memref.alloca() : memref<4xf32>
    memref.copy %m, %0 : memref<?x4xf32> to memref<?x4xf32>
    memref.store %x, %0[%i, %i] : memref<?x4xf32>
    %2 = memref.load %0[%i, %i] : memref<?x4xf32>
    %3 = memref.dim %0, %i : memref<?x4xf32>
    %4 = memref.atomic_rmw addf %x, %0[%i, %i] : (f32, memref<?x4xf32>) -> f32
    %5 = memref.cast %1 : memref<4xf32> to memref<?xf32>
    %6 = memref.reinterpret_cast %0 to offset: [0], sizes: [%i, 4], strides: [4, 1] : memref<?x4xf32> to memref<?x4xf32, strided<[4, 1]>>
    %7 = memref.subview %0[%i, 0] [2, 2] [1, 1] : memref<?x4xf32> to memref<2x2xf32, strided<[4, 1], offset: ?>>
    %8 = memref.get_global @table : memref<4xf32>
    memref.dealloc %0 : memref<?x4xf32>
    func.return %2 : f32
  }
  func.func @vectors(%m: memref<?x4xf32>, %i: index, %x: f32) -> f32 {
    %0 = vector.load %m[%i, %i] : memref<?x4xf32>, vector<4xf32>
    %1 = vector.broadcast %x : f32 to vector<4xf32>
    %2 = vector.fma %0, %1, %1 : vector<4xf32>
    vector.store %2, %m[%i, %i] : memref<?x4xf32>, vector<4xf32>
    %3 = vector.extract %2[1] : f32 from vector<4xf32>
    %4 = vector.insert %3, %2 [%i] : f32 into vector<4xf32>
    %5 = vector.reduction <add>, %4 : vector<4xf32> into f32
    %6 = vector.reduction <maximumf>, %4, %5 fastmath<reassoc> : vector<4xf32> into f32
    func.return %6 : f32
  }
}
