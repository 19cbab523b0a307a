// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Views of views: casts between spaces, transpositions, reshapes, reinterpretations, alignments.
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>, memref<1x2x3x4x5xf32>, memref<128xf32>, memref<128xi8>) -> (memref<?xf32, 2>, memref<5x3x2x4x1xf32, strided<[1, 20, 60, 5, 120]>>, memref<128xf32>, memref<128xi8>, memref<i32>), sym_name = "views"}> ({
  ^bb0(%a: memref<?xf32>, %b: memref<1x2x3x4x5xf32>, %c: memref<128xf32>, %d: memref<128xi8>):
    %0 = "memref.memory_space_cast"(%a) : (memref<?xf32>) -> memref<?xf32, 1>
    %1 = "memref.memory_space_cast"(%0) : (memref<?xf32, 1>) -> memref<?xf32, 2>
    %2 = "memref.transpose"(%b) <{permutation = affine_map<(d0, d1, d2, d3, d4) -> (d1, d0, d4, d3, d2)>}> : (memref<1x2x3x4x5xf32>) -> memref<2x1x5x4x3xf32, strided<[60, 120, 1, 5, 20]>>
    %3 = "memref.transpose"(%2) <{permutation = affine_map<(d0, d1, d2, d3, d4) -> (d2, d4, d0, d3, d1)>}> : (memref<2x1x5x4x3xf32, strided<[60, 120, 1, 5, 20]>>) -> memref<5x3x2x4x1xf32, strided<[1, 20, 60, 5, 120]>>
    %4 = "memref.assume_alignment"(%c) <{alignment = 16 : i32}> : (memref<128xf32>) -> memref<128xf32>
    %5 = "memref.assume_alignment"(%4) <{alignment = 16 : i32}> : (memref<128xf32>) -> memref<128xf32>
    %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %6 = "memref.view"(%d, %c0) : (memref<128xi8>, index) -> memref<128xi8>
    %7 = "memref.cast"(%d) : (memref<128xi8>) -> memref<?xi8>
    %8 = "memref.view"(%7, %c0) : (memref<?xi8>, index) -> memref<i32>
    "func.return"(%1, %3, %5, %6, %8) : (memref<?xf32, 2>, memref<5x3x2x4x1xf32, strided<[1, 20, 60, 5, 120]>>, memref<128xf32>, memref<128xi8>, memref<i32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?x?xf32>, memref<?x?xf32>, memref<?xi8>, index, index, index, index) -> (memref<?x?xf32>, memref<?x6x4x5x?xf32>, memref<?xi8>, memref<?xi8>, memref<?xi8>), sym_name = "reshapes"}> ({
  ^bb0(%a: memref<?x?x?x?x?xf32>, %b: memref<?x?xf32>, %c: memref<?xi8>, %i: index, %j: index, %k: index, %l: index):
    %0 = "memref.collapse_shape"(%a) <{reassociation = [[0, 1], [2], [3, 4]]}> : (memref<?x?x?x?x?xf32>) -> memref<?x?x?xf32>
    %1 = "memref.collapse_shape"(%0) <{reassociation = [[0, 1], [2]]}> : (memref<?x?x?xf32>) -> memref<?x?xf32>
    %2 = "memref.expand_shape"(%b, %i, %j) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 4, -9223372036854775808>}> : (memref<?x?xf32>, index, index) -> memref<?x4x?xf32>
    %3 = "memref.expand_shape"(%2, %k, %l) <{reassociation = [[0, 1], [2], [3, 4]], static_output_shape = array<i64: -9223372036854775808, 6, 4, 5, -9223372036854775808>}> : (memref<?x4x?xf32>, index, index) -> memref<?x6x4x5x?xf32>
    %4 = "memref.cast"(%c) : (memref<?xi8>) -> memref<5xi8>
    %5 = "memref.reinterpret_cast"(%4, %i) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<5xi8>, index) -> memref<?xi8>
    %6 = "memref.reinterpret_cast"(%c, %i) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<?xi8>, index) -> memref<?xi8>
    %7 = "memref.reinterpret_cast"(%6, %j) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<?xi8>, index) -> memref<?xi8>
    %8 = "memref.subview"(%c, %i) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<?xi8>, index) -> memref<?xi8>
    %9 = "memref.reinterpret_cast"(%8, %k) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<?xi8>, index) -> memref<?xi8>
    "func.return"(%1, %3, %5, %7, %9) : (memref<?x?xf32>, memref<?x6x4x5x?xf32>, memref<?xi8>, memref<?xi8>, memref<?xi8>) -> ()
  }) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func @views(%a: memref<?xf32>, %b: memref<1x2x3x4x5xf32>, %c: memref<128xf32>, %d: memref<128xi8>) -> (memref<?xf32, 2>, memref<5x3x2x4x1xf32, strided<[1, 20, 60, 5, 120]>>, memref<128xf32>, memref<128xi8>, memref<i32>) {
    %c0 = arith.constant 0 : index
    %0 = memref.memory_space_cast %a : memref<?xf32> to memref<?xf32, 2>
    %1 = memref.transpose %b (d0, d1, d2, d3, d4) -> (d4, d2, d1, d3, d0) : memref<1x2x3x4x5xf32> to memref<5x3x2x4x1xf32, strided<[1, 20, 60, 5, 120]>>
    %2 = memref.assume_alignment %c, 16 : memref<128xf32>
    %3 = memref.view %d[%c0][] : memref<128xi8> to memref<i32>
    func.return %0, %1, %2, %d, %3 : memref<?xf32, 2>, memref<5x3x2x4x1xf32, strided<[1, 20, 60, 5, 120]>>, memref<128xf32>, memref<128xi8>, memref<i32>
  }
  func.func @reshapes(%a: memref<?x?x?x?x?xf32>, %b: memref<?x?xf32>, %c: memref<?xi8>, %i: index, %j: index, %k: index, %l: index) -> (memref<?x?xf32>, memref<?x6x4x5x?xf32>, memref<?xi8>, memref<?xi8>, memref<?xi8>) {
    %0 = memref.collapse_shape %a [[0, 1, 2], [3, 4]] : memref<?x?x?x?x?xf32> into memref<?x?xf32>
    %1 = memref.expand_shape %b [[0, 1, 2], [3, 4]] output_shape [%k, 6, 4, 5, %l] : memref<?x?xf32> into memref<?x6x4x5x?xf32>
    %2 = memref.reinterpret_cast %c to offset: [0], sizes: [%i], strides: [1] : memref<?xi8> to memref<?xi8>
    %3 = memref.reinterpret_cast %c to offset: [0], sizes: [%j], strides: [1] : memref<?xi8> to memref<?xi8>
    %4 = memref.reinterpret_cast %c to offset: [0], sizes: [%k], strides: [1] : memref<?xi8> to memref<?xi8>
    func.return %0, %1, %2, %3, %4 : memref<?x?xf32>, memref<?x6x4x5x?xf32>, memref<?xi8>, memref<?xi8>, memref<?xi8>
  }
}
