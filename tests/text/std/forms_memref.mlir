// round-trip
// Ops of memref whose form is more than operands and types, with and without their optional parts.
builtin.module {
  func.func @memory(%m: memref<4x?xf32>, %u: memref<*xf32>, %v: memref<?xf32>, %bytes: memref<?xi8>, %i: index, %x: f32, %shape: memref<2xindex>, %tag: memref<1xi32>, %s: memref<8xf32, 2>) {
    %0 = memref.assume_alignment %m, 16 : memref<4x?xf32>
    %1:2 = memref.distinct_objects %m, %v {test.note} : memref<4x?xf32>, memref<?xf32>
    %2 = memref.rank %m : memref<4x?xf32>
    %3 = memref.rank %u : memref<*xf32>
    %4 = memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
    memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x?xf32>
    memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<4x?xf32>
    %5 = memref.realloc %v : memref<?xf32> to memref<64xf32>
    %6 = memref.realloc %v(%i) {alignment = 8 : i64} : memref<?xf32> to memref<?xf32>
    memref.dma_start %m[%i, %i], %s[%i], %i, %tag[%i] : memref<4x?xf32>, memref<8xf32, 2>, memref<1xi32>
    memref.dma_start %m[%i, %i], %s[%i], %i, %tag[%i], %i, %i : memref<4x?xf32>, memref<8xf32, 2>, memref<1xi32>
    memref.dma_wait %tag[%i], %i : memref<1xi32>
    %7 = memref.collapse_shape %m [[0, 1]] : memref<4x?xf32> into memref<?xf32>
    %8 = memref.expand_shape %v [[0, 1]] output_shape [%i, 4] : memref<?xf32> into memref<?x4xf32>
    %a0 = memref.alloc() : memref<f32>
    %9 = memref.expand_shape %a0 [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
    %10 = memref.collapse_shape %9 [] : memref<1x1xf32> into memref<f32>
    %11 = memref.reshape %m(%shape) : (memref<4x?xf32>, memref<2xindex>) -> memref<?x?xf32>
    %12 = memref.reshape %u(%shape) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
    %13 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x?xf32> to memref<?x4xf32, strided<[1, ?]>>
    %bytes0 = memref.alloc() : memref<2048xi8>
    %14 = memref.view %bytes0[%i][] : memref<2048xi8> to memref<64x4xf32>
    %15 = memref.view %bytes[%i][%i, %i] {test.note} : memref<?xi8> to memref<?x4x?xf32>
    %16 = memref.memory_space_cast %s : memref<8xf32, 2> to memref<8xf32>
    memref.alloca_scope  {
      %21 = memref.alloca() : memref<4xf32>
    }
    %17:2 = memref.alloca_scope  -> (f32, index) {
      memref.alloca_scope.return %x, %i : f32, index
    }
    memref.alloca_scope  {
    } {test.note}
    %18 = memref.generic_atomic_rmw %v[%i] : memref<?xf32> {
    ^bb0(%old: f32):
      %21 = arith.addf %old, %x : f32
      memref.atomic_yield %21 : f32
    }
    %19 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x?xf32> {
    ^bb0(%old: f32):
      memref.atomic_yield %x {test.note} : f32
    } {test.note = 1 : i64}
    %20 = memref.load %v[%i] {nontemporal = true} : memref<?xf32>
    memref.store %x, %v[%i] {alignment = 4 : i64, nontemporal = true} : memref<?xf32>
    func.return
  }
}
