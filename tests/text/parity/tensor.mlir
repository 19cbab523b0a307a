// parity
// Ops of `tensor`; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %t = "foo.val"() : () -> tensor<?x4xf32>
    %i = "foo.val"() : () -> index
    %0 = "tensor.dim"(%t, %i) : (tensor<?x4xf32>, index) -> (index)
    %1 = "tensor.cast"(%t) : (tensor<?x4xf32>) -> (tensor<8x?xf32>)
    %2 = "tensor.empty"(%i) : (index) -> (tensor<?x4xf32>)
    %3 = "tensor.empty"() : () -> (tensor<2x3xi8>)
    %4 = "tensor.extract"(%t, %i, %i) : (tensor<?x4xf32>, index, index) -> (f32)
    %x = "foo.val"() : () -> f32
    %5 = "tensor.insert"(%x, %t, %i, %i) : (f32, tensor<?x4xf32>, index, index) -> (tensor<?x4xf32>)
    %6 = "tensor.from_elements"(%i, %i) : (index, index) -> (tensor<2xindex>)
    %s = "foo.val"() : () -> tensor<2xindex>
    %7 = "tensor.reshape"(%t, %s) : (tensor<?x4xf32>, tensor<2xindex>) -> (tensor<?x?xf32>)
    %8 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf32>, index) -> (tensor<4xf32>)
    %row = "foo.val"() : () -> tensor<4xf32>
    %9 = "tensor.insert_slice"(%row, %t, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 1>}> : (tensor<4xf32>, tensor<?x4xf32>, index) -> (tensor<?x4xf32>)
    %10 = "tensor.extract_slice"(%t, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 2>, static_strides = array<i64: 1, 2>}> : (tensor<?x4xf32>, index, index) -> (tensor<?x2xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract"(%t, %i) : (tensor<?x4xf32>, index) -> (f32)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract"(%t, %i, %i) : (tensor<?x4xf32>, index, index) -> (f64)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<f32>
  %0 = "tensor.extract"(%t) : (tensor<f32>) -> (f32)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %i = "foo.val"() : () -> index
  %x = "foo.val"() : () -> f32
  %0 = "tensor.insert"(%x, %t, %i) : (f32, tensor<?x4xf32>, index) -> (tensor<?x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %i = "foo.val"() : () -> index
  %x = "foo.val"() : () -> f64
  %0 = "tensor.insert"(%x, %t, %i, %i) : (f64, tensor<?x4xf32>, index, index) -> (tensor<?x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %i = "foo.val"() : () -> index
  %0 = "tensor.empty"(%i) : (index) -> (tensor<2x3xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %0 = "tensor.empty"() : () -> (tensor<?xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %0 = "tensor.cast"(%t) : (tensor<?x4xf32>) -> (tensor<?x5xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %0 = "tensor.cast"(%t) : (tensor<?x4xf32>) -> (tensor<?xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %0 = "tensor.cast"(%t) : (tensor<?x4xf32>) -> (tensor<?x4xf64>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %0 = "tensor.cast"(%t) : (tensor<?x4xf32>) -> (tensor<*xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %i = "foo.val"() : () -> index
  %0 = "tensor.from_elements"(%i) : (index) -> (tensor<2xindex>)
}) : () -> ()
// -----
"builtin.module"() ({
  %i = "foo.val"() : () -> index
  %0 = "tensor.from_elements"(%i) : (index) -> (tensor<?xindex>)
}) : () -> ()
// -----
"builtin.module"() ({
  %i = "foo.val"() : () -> i32
  %0 = "tensor.from_elements"(%i) : (i32) -> (tensor<1xindex>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %s = "foo.val"() : () -> tensor<3xindex>
  %0 = "tensor.reshape"(%t, %s) : (tensor<?x4xf32>, tensor<3xindex>) -> (tensor<?x?xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %s = "foo.val"() : () -> tensor<?xindex>
  %0 = "tensor.reshape"(%t, %s) : (tensor<?x4xf32>, tensor<?xindex>) -> (tensor<?x?xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<2x4xf32>
  %s = "foo.val"() : () -> tensor<1xi32>
  %0 = "tensor.reshape"(%t, %s) : (tensor<2x4xf32>, tensor<1xi32>) -> (tensor<9xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<2x4xf32>
  %s = "foo.val"() : () -> tensor<1xf32>
  %0 = "tensor.reshape"(%t, %s) : (tensor<2x4xf32>, tensor<1xf32>) -> (tensor<8xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<2x4xf32>
  %s = "foo.val"() : () -> tensor<1xindex>
  %0 = "tensor.reshape"(%t, %s) : (tensor<2x4xf32>, tensor<1xindex>) -> (tensor<8xf64>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 5>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf32>, index) -> (tensor<5xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf32>, index) -> (tensor<?xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf32>, index) -> (tensor<4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %0 = "tensor.extract_slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<?x4xf32>) -> (tensor<1x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %0 = "tensor.extract_slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, -1>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf32>) -> (tensor<1x1xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<8x4xf32>
  %0 = "tensor.extract_slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 2>, static_strides = array<i64: 3, 2>}> : (tensor<8x4xf32>) -> (tensor<4x2xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<8x4xf32>
  %r = "foo.val"() : () -> tensor<4x2xf32>
  %0 = "tensor.insert_slice"(%r, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 3>, static_strides = array<i64: 1, 1>}> : (tensor<4x2xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<8x4xf32>
  %r = "foo.val"() : () -> tensor<4x2xf64>
  %0 = "tensor.insert_slice"(%r, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 2>, static_strides = array<i64: 1, 1>}> : (tensor<4x2xf64>, tensor<8x4xf32>) -> (tensor<8x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<8x4xf32>
  %r = "foo.val"() : () -> tensor<4x2xf32>
  %0 = "tensor.insert_slice"(%r, %t) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 6, 0>, static_sizes = array<i64: 4, 2>, static_strides = array<i64: 1, 1>}> : (tensor<4x2xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<8x4xf32>
  %c = "arith.constant"() <{value = 2 : index}> : () -> index
  %0 = "tensor.dim"(%t, %c) : (tensor<8x4xf32>, index) -> (index)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<f32>
  %c = "foo.val"() : () -> index
  %0 = "tensor.dim"(%t, %c) : (tensor<f32>, index) -> (index)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64>, static_strides = array<i64: 1, 1>}> {kernel.checked} : (tensor<?x4xf32>, index) -> (tensor<4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.insert_slice"(%r, %t, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64>, static_strides = array<i64: 1, 1>}> {kernel.checked} : (tensor<4xf32>, tensor<?x4xf32>, index) -> (tensor<?x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 4>, static_strides = array<i64>}> {kernel.checked} : (tensor<?x4xf32>, index) -> (tensor<4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.insert_slice"(%r, %t, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 4>, static_strides = array<i64>}> {kernel.checked} : (tensor<4xf32>, tensor<?x4xf32>, index) -> (tensor<?x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1, 1>}> {kernel.checked} : (tensor<?x4xf32>, index) -> (tensor<4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.insert_slice"(%r, %t, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1, 1>}> {kernel.checked} : (tensor<4xf32>, tensor<?x4xf32>, index) -> (tensor<?x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 1>}> {kernel.checked} : (tensor<?x4xf32>, index) -> (tensor<4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.insert_slice"(%r, %t, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1, 4>, static_strides = array<i64: 1, 1>}> {kernel.checked} : (tensor<4xf32>, tensor<?x4xf32>, index) -> (tensor<?x4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.extract_slice"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64>, static_sizes = array<i64>, static_strides = array<i64>}> {kernel.checked} : (tensor<?x4xf32>, index) -> (tensor<4xf32>)
}) : () -> ()
// -----
"builtin.module"() ({
  %t = "foo.val"() : () -> tensor<?x4xf32>
  %r = "foo.val"() : () -> tensor<4xf32>
  %i = "foo.val"() : () -> index
  %0 = "tensor.insert_slice"(%r, %t, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64>, static_sizes = array<i64>, static_strides = array<i64>}> {kernel.checked} : (tensor<4xf32>, tensor<?x4xf32>, index) -> (tensor<?x4xf32>)
}) : () -> ()
