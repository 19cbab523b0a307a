// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Constant extents, offsets and strides become part of types; what a type says need not be asked; casts before views;
// scopes of allocations.
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "count", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xi32>) -> (), sym_name = "use", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "last", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (index) -> (), sym_name = "index", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (index) -> (memref<?x?xf32>, memref<1xf32, strided<[?], offset: ?>>), sym_name = "extents"}> ({
  ^bb0(%arg8: index):
    %21 = "arith.constant"() <{value = 3 : index}> : () -> index
    %22 = "arith.constant"() <{value = 2 : index}> : () -> index
    %23 = "memref.alloc"(%21, %arg8) <{operandSegmentSizes = array<i32: 2, 0>}> : (index, index) -> memref<?x?xf32>
    %24 = "memref.alloca"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
    %25 = "memref.subview"(%24, %22, %22) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<1xf32, strided<[?], offset: ?>>
    "func.return"(%23, %25) : (memref<?x?xf32>, memref<1xf32, strided<[?], offset: ?>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<8x6xf32>, index) -> (memref<6xf32, strided<[?], offset: ?>>, memref<8x6xf32, strided<[6, 1]>>, memref<?x?xf32, strided<[?, ?], offset: ?>>), sym_name = "views"}> ({
  ^bb0(%arg6: memref<8x6xf32>, %arg7: index):
    %15 = "arith.constant"() <{value = 0 : index}> : () -> index
    %16 = "arith.constant"() <{value = 4 : index}> : () -> index
    %17 = "memref.cast"(%arg6) : (memref<8x6xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
    %18 = "memref.subview"(%17, %arg7) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 6>, static_strides = array<i64: 1, 1>}> : (memref<?x?xf32, strided<[?, ?], offset: ?>>, index) -> memref<6xf32, strided<[?], offset: ?>>
    %19 = "memref.subview"(%arg6) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 8, 6>, static_strides = array<i64: 1, 1>}> : (memref<8x6xf32>) -> memref<8x6xf32, strided<[6, 1]>>
    %20 = "memref.reinterpret_cast"(%arg6, %15, %16, %arg7, %16) <{operandSegmentSizes = array<i32: 1, 1, 2, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<8x6xf32>, index, index, index, index) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
    "func.return"(%18, %19, %20) : (memref<6xf32, strided<[?], offset: ?>>, memref<8x6xf32, strided<[6, 1]>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<8x?xf32, strided<[?, 2], offset: 5>>) -> memref<8x?xf32, strided<[?, 2], offset: 5>>, sym_name = "metadata"}> ({
  ^bb0(%arg5: memref<8x?xf32, strided<[?, 2], offset: 5>>):
    %11 = "memref.cast"(%arg5) : (memref<8x?xf32, strided<[?, 2], offset: 5>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
    %12:6 = "memref.extract_strided_metadata"(%arg5) : (memref<8x?xf32, strided<[?, 2], offset: 5>>) -> (memref<f32>, index, index, index, index, index)
    "func.call"(%12#1) <{callee = @index}> : (index) -> ()
    "func.call"(%12#2) <{callee = @index}> : (index) -> ()
    "func.call"(%12#3) <{callee = @index}> : (index) -> ()
    "func.call"(%12#5) <{callee = @index}> : (index) -> ()
    %13 = "memref.reinterpret_cast"(%12#0, %12#1, %12#2, %12#3, %12#4, %12#5) <{operandSegmentSizes = array<i32: 1, 1, 2, 2>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, -9223372036854775808>}> : (memref<f32>, index, index, index, index, index) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
    %14 = "memref.cast"(%13) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> memref<8x?xf32, strided<[?, 2], offset: 5>>
    "func.return"(%14) : (memref<8x?xf32, strided<[?, 2], offset: 5>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<4x6xf32>, memref<*xf32>, memref<2xindex>) -> (memref<?xf32>, memref<?x2x6xf32>, index, index), sym_name = "shapes"}> ({
  ^bb0(%arg2: memref<4x6xf32>, %arg3: memref<*xf32>, %arg4: memref<2xindex>):
    %3 = "memref.cast"(%arg2) : (memref<4x6xf32>) -> memref<?x6xf32>
    %4 = "memref.collapse_shape"(%3) <{reassociation = [[0, 1]]}> : (memref<?x6xf32>) -> memref<?xf32>
    %5 = "arith.constant"() <{value = 2 : index}> : () -> index
    %6 = "arith.constant"() <{value = 1 : index}> : () -> index
    %7 = "memref.expand_shape"(%3, %5) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: -9223372036854775808, 2, 6>}> : (memref<?x6xf32>, index) -> memref<?x2x6xf32>
    %8 = "memref.reshape"(%arg3, %arg4) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
    %9 = "memref.dim"(%8, %6) : (memref<?x?xf32>, index) -> index
    %10 = "memref.rank"(%8) : (memref<?x?xf32>) -> index
    "func.return"(%4, %7, %9, %10) : (memref<?xf32>, memref<?x2x6xf32>, index, index) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i1, index) -> (), sym_name = "scopes"}> ({
  ^bb0(%arg0: i1, %arg1: index):
    "scf.if"(%arg0) ({
      "memref.alloca_scope"() ({
        %1 = "func.call"() <{callee = @count}> : () -> index
        %2 = "memref.alloca"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xi32>
        "func.call"(%2) <{callee = @use}> : (memref<?xi32>) -> ()
        "memref.alloca_scope.return"() : () -> ()
      }) : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
    "memref.alloca_scope"() ({
      %0 = "memref.alloca"(%arg1) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xi32>
      "func.call"(%0) <{callee = @use}> : (memref<?xi32>) -> ()
      "memref.alloca_scope.return"() : () -> ()
    }) : () -> ()
    "func.call"() <{callee = @last}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// ===== expected
builtin.module {
  func.func private @count() -> index
  func.func private @use(memref<?xi32>)
  func.func private @last()
  func.func private @index(index)
  func.func @extents(%arg8: index) -> (memref<?x?xf32>, memref<1xf32, strided<[?], offset: ?>>) {
    %0 = memref.alloc(%arg8) : memref<3x?xf32>
    %1 = memref.cast %0 : memref<3x?xf32> to memref<?x?xf32>
    %2 = memref.alloca() : memref<3xf32>
    %3 = memref.subview %2[2] [1] [2] : memref<3xf32> to memref<1xf32, strided<[2], offset: 2>>
    %4 = memref.cast %3 : memref<1xf32, strided<[2], offset: 2>> to memref<1xf32, strided<[?], offset: ?>>
    func.return %1, %4 : memref<?x?xf32>, memref<1xf32, strided<[?], offset: ?>>
  }
  func.func @views(%arg6: memref<8x6xf32>, %arg7: index) -> (memref<6xf32, strided<[?], offset: ?>>, memref<8x6xf32, strided<[6, 1]>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) {
    %0 = memref.subview %arg6[%arg7, 0] [1, 6] [1, 1] : memref<8x6xf32> to memref<6xf32, strided<[1], offset: ?>>
    %1 = memref.cast %0 : memref<6xf32, strided<[1], offset: ?>> to memref<6xf32, strided<[?], offset: ?>>
    %2 = memref.cast %arg6 : memref<8x6xf32> to memref<8x6xf32, strided<[6, 1]>>
    %3 = memref.reinterpret_cast %arg6 to offset: [0], sizes: [4, %arg7], strides: [4, 1] : memref<8x6xf32> to memref<4x?xf32, strided<[4, 1]>>
    %4 = memref.cast %3 : memref<4x?xf32, strided<[4, 1]>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    func.return %1, %2, %4 : memref<6xf32, strided<[?], offset: ?>>, memref<8x6xf32, strided<[6, 1]>>, memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
  func.func @metadata(%arg5: memref<8x?xf32, strided<[?, 2], offset: 5>>) -> memref<8x?xf32, strided<[?, 2], offset: 5>> {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c5 = arith.constant 5 : index
    %0:6 = memref.extract_strided_metadata %arg5 : memref<8x?xf32, strided<[?, 2], offset: 5>> -> memref<f32>, index, index, index, index, index
    func.call @index(%c5) : (index) -> ()
    func.call @index(%c8) : (index) -> ()
    func.call @index(%0#3) : (index) -> ()
    func.call @index(%c2) : (index) -> ()
    func.return %arg5 : memref<8x?xf32, strided<[?, 2], offset: 5>>
  }
  func.func @shapes(%arg2: memref<4x6xf32>, %arg3: memref<*xf32>, %arg4: memref<2xindex>) -> (memref<?xf32>, memref<?x2x6xf32>, index, index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = memref.collapse_shape %arg2 [[0, 1]] : memref<4x6xf32> into memref<24xf32>
    %1 = memref.cast %0 : memref<24xf32> to memref<?xf32>
    %2 = memref.expand_shape %arg2 [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32> into memref<2x2x6xf32>
    %3 = memref.cast %2 : memref<2x2x6xf32> to memref<?x2x6xf32>
    %4 = memref.load %arg4[%c1] : memref<2xindex>
    func.return %1, %3, %4, %c2 : memref<?xf32>, memref<?x2x6xf32>, index, index
  }
  func.func @scopes(%arg0: i1, %arg1: index) {
    scf.if %arg0 {
      memref.alloca_scope  {
        %0 = func.call @count() : () -> index
        %1 = memref.alloca(%0) : memref<?xi32>
        func.call @use(%1) : (memref<?xi32>) -> ()
      }
    }
    memref.alloca_scope  {
      %0 = memref.alloca(%arg1) : memref<?xi32>
      func.call @use(%0) : (memref<?xi32>) -> ()
    }
    func.call @last() : () -> ()
    func.return
  }
}
