// pass: builtin.module(canonicalize)
// Lists of views stay operands where the constants are negative: what they do is not defined, but the program stays one.
// Masks of numbers that are no vectors stay, too.
"builtin.module"() ({
  "func.func"() <{function_type = (memref<2x3xf32>, memref<?xi8>, vector<1xi1>, i32, i32) -> (memref<1x?xf32, strided<[?, ?], offset: ?>>, memref<?x4xi32>, i32), sym_name = "kept"}> ({
  ^bb0(%a: memref<2x3xf32>, %b: memref<?xi8>, %mask: vector<1xi1>, %x: i32, %y: i32):
    %one = "arith.constant"() <{value = 1 : index}> : () -> index
    %two = "arith.constant"() <{value = 2 : index}> : () -> index
    %less = "arith.constant"() <{value = -1 : index}> : () -> index
    %0 = "memref.reinterpret_cast"(%a, %less, %less, %two, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 2>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, -9223372036854775808>}> : (memref<2x3xf32>, index, index, index, index) -> memref<1x?xf32, strided<[?, ?], offset: ?>>
    %1 = "memref.view"(%b, %two, %less) : (memref<?xi8>, index, index) -> memref<?x4xi32>
    %2 = "vector.mask"(%mask, %x) ({
      "vector.yield"(%y) : (i32) -> ()
    }) : (vector<1xi1>, i32) -> i32
    "func.return"(%0, %1, %2) : (memref<1x?xf32, strided<[?, ?], offset: ?>>, memref<?x4xi32>, i32) -> ()
  }) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func @kept(%a: memref<2x3xf32>, %b: memref<?xi8>, %mask: vector<1xi1>, %x: i32, %y: i32) -> (memref<1x?xf32, strided<[?, ?], offset: ?>>, memref<?x4xi32>, i32) {
    %two = arith.constant 2 : index
    %less = arith.constant -1 : index
    %0 = memref.reinterpret_cast %a to offset: [%less], sizes: [1, %less], strides: [2, 1] : memref<2x3xf32> to memref<1x?xf32, strided<[2, 1], offset: ?>>
    %1 = memref.cast %0 : memref<1x?xf32, strided<[2, 1], offset: ?>> to memref<1x?xf32, strided<[?, ?], offset: ?>>
    %2 = memref.view %b[%two][%less] : memref<?xi8> to memref<?x4xi32>
    %3 = vector.mask %mask, %x { vector.yield %y : i32 } : vector<1xi1> -> i32
    func.return %1, %2, %3 : memref<1x?xf32, strided<[?, ?], offset: ?>>, memref<?x4xi32>, i32
  }
}
