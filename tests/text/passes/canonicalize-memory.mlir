// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// memref: views that change nothing, accesses through casts, extents of allocations, memory that is only written.
module {
  func.func @through_casts(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
    %a = memref.cast %m : memref<4xf32> to memref<?xf32>
    memref.store %x, %a[%i] : memref<?xf32>
    %b = memref.load %a[%i] : memref<?xf32>
    return %b : f32
  }
  func.func @and_back(%m: memref<4xf32>) -> memref<4xf32> {
    %a = memref.cast %m : memref<4xf32> to memref<?xf32>
    %b = memref.cast %a : memref<?xf32> to memref<4xf32>
    return %b : memref<4xf32>
  }
  func.func @extents(%n: index) -> (index, index, memref<?x7xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc(%n) : memref<?x7xf32>
    %a = memref.dim %m, %c0 : memref<?x7xf32>
    %b = memref.dim %m, %c1 : memref<?x7xf32>
    return %a, %b, %m : index, index, memref<?x7xf32>
  }
  func.func @only_written(%x: f32, %i: index) {
    %m = memref.alloc() : memref<4xf32>
    memref.store %x, %m[%i] : memref<4xf32>
    memref.dealloc %m : memref<4xf32>
    return
  }
  func.func @copies(%m: memref<4xf32>, %n: memref<0xf32>, %k: memref<0xf32>) {
    memref.copy %m, %m : memref<4xf32> to memref<4xf32>
    memref.copy %n, %k : memref<0xf32> to memref<0xf32>
    return
  }
}
// ===== expected
builtin.module {
  func.func @through_casts(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
    memref.store %x, %m[%i] : memref<4xf32>
    %b = memref.load %m[%i] : memref<4xf32>
    func.return %b : f32
  }
  func.func @and_back(%m: memref<4xf32>) -> memref<4xf32> {
    func.return %m : memref<4xf32>
  }
  func.func @extents(%n: index) -> (index, index, memref<?x7xf32>) {
    %c7 = arith.constant 7 : index
    %m = memref.alloc(%n) : memref<?x7xf32>
    func.return %n, %c7, %m : index, index, memref<?x7xf32>
  }
  func.func @only_written(%x: f32, %i: index) {
    func.return
  }
  func.func @copies(%m: memref<4xf32>, %n: memref<0xf32>, %k: memref<0xf32>) {
    func.return
  }
}
