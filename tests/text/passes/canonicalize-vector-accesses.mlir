// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Transfers that stay in bounds, tensors just written, masks that let all or nothing through, gathered neighbours,
// reductions of one element under a mask.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d1, d0, 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8x6xf32>, index) -> (vector<2x3xf32>, vector<4xf32>, vector<6xf32>), sym_name = "transfers"}> ({
  ^bb0(%arg13: memref<8x6xf32>, %arg14: index):
    %25 = "arith.constant"() <{value = 0 : index}> : () -> index
    %26 = "arith.constant"() <{value = 5 : index}> : () -> index
    %27 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %28 = "arith.constant"() <{value = dense<true> : vector<4xi1>}> : () -> vector<4xi1>
    %29 = "memref.cast"(%arg13) : (memref<8x6xf32>) -> memref<?x?xf32>
    %30 = "vector.transfer_read"(%arg13, %arg14, %25, %27) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<8x6xf32>, index, index, f32) -> vector<2x3xf32>
    %31 = "vector.transfer_read"(%arg13, %26, %25, %27, %28) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = #map1}> : (memref<8x6xf32>, index, index, f32, vector<4xi1>) -> vector<4xf32>
    %32 = "vector.transfer_read"(%29, %arg14, %25, %27) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map1}> : (memref<?x?xf32>, index, index, f32) -> vector<6xf32>
    "vector.transfer_write"(%30, %arg13, %26, %25) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<2x3xf32>, memref<8x6xf32>, index, index) -> ()
    "func.return"(%30, %31, %32) : (vector<2x3xf32>, vector<4xf32>, vector<6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf32>, vector<1x4xf32>, vector<1x4xf32>) -> (vector<1x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, vector<4x1x3xf32>), sym_name = "tensors"}> ({
  ^bb0(%arg10: tensor<4x4xf32>, %arg11: vector<1x4xf32>, %arg12: vector<1x4xf32>):
    %14 = "arith.constant"() <{value = 0 : index}> : () -> index
    %15 = "arith.constant"() <{value = 1 : index}> : () -> index
    %16 = "arith.constant"() <{value = 2 : index}> : () -> index
    %17 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %18 = "vector.transfer_write"(%arg11, %arg10, %15, %14) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<1x4xf32>, tensor<4x4xf32>, index, index) -> tensor<4x4xf32>
    %19 = "vector.transfer_write"(%arg12, %18, %16, %14) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<1x4xf32>, tensor<4x4xf32>, index, index) -> tensor<4x4xf32>
    %20 = "vector.transfer_read"(%19, %15, %14, %17) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (tensor<4x4xf32>, index, index, f32) -> vector<1x4xf32>
    %21 = "vector.transfer_write"(%arg12, %19, %15, %14) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<1x4xf32>, tensor<4x4xf32>, index, index) -> tensor<4x4xf32>
    %22 = "vector.transfer_read"(%arg10, %16, %14, %17) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (tensor<4x4xf32>, index, index, f32) -> vector<2x2xf32>
    %23 = "vector.transfer_write"(%22, %arg10, %16, %14) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<2x2xf32>, tensor<4x4xf32>, index, index) -> tensor<4x4xf32>
    %24 = "vector.transfer_read"(%18, %15, %14, %17) <{in_bounds = [true, true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map2}> : (tensor<4x4xf32>, index, index, f32) -> vector<4x1x3xf32>
    "func.return"(%20, %21, %23, %24) : (vector<1x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, vector<4x1x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>), sym_name = "masked"}> ({
  ^bb0(%arg6: memref<?xf32>, %arg7: index, %arg8: vector<4xi1>, %arg9: vector<4xf32>):
    %4 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 4>}> : () -> vector<4xi1>
    %5 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 0>}> : () -> vector<4xi1>
    %6 = "vector.maskedload"(%arg6, %arg7, %4, %arg9) : (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    %7 = "vector.expandload"(%arg6, %arg7, %5, %arg9) : (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    "vector.maskedstore"(%arg6, %arg7, %5, %arg9) : (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> ()
    "vector.compressstore"(%arg6, %arg7, %4, %arg9) : (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> ()
    %8 = "vector.step"() : () -> vector<4xindex>
    %9 = "arith.constant"() <{value = dense<[0, 1, 2, 3]> : vector<4xi32>}> : () -> vector<4xi32>
    %10 = "arith.constant"() <{value = dense<[3, 2, 1, 0]> : vector<4xi32>}> : () -> vector<4xi32>
    %11 = "vector.gather"(%arg6, %arg7, %8, %arg8, %arg9) : (memref<?xf32>, index, vector<4xindex>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    %12 = "vector.gather"(%arg6, %arg7, %9, %5, %arg9) : (memref<?xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    %13 = "vector.gather"(%arg6, %arg7, %10, %arg8, %arg9) : (memref<?xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    "vector.scatter"(%arg6, %arg7, %9, %arg8, %arg9) : (memref<?xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
    "vector.scatter"(%arg6, %arg7, %9, %5, %arg9) : (memref<?xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
    "func.return"(%6, %7, %11, %12, %13) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<1xf32>, vector<3x1xf32>, f32, vector<3xf32>, vector<1xi1>, vector<3x1xi1>) -> (f32, vector<3xf32>), sym_name = "reduced"}> ({
  ^bb0(%arg0: vector<1xf32>, %arg1: vector<3x1xf32>, %arg2: f32, %arg3: vector<3xf32>, %arg4: vector<1xi1>, %arg5: vector<3x1xi1>):
    %0 = "vector.mask"(%arg4) ({
      %3 = "vector.reduction"(%arg0, %arg2) <{kind = #vector.kind<mul>}> : (vector<1xf32>, f32) -> f32
      "vector.yield"(%3) : (f32) -> ()
    }) : (vector<1xi1>) -> f32
    %1 = "vector.mask"(%arg5) ({
      %2 = "vector.multi_reduction"(%arg1, %arg3) <{kind = #vector.kind<add>, reduction_dims = array<i64: 1>}> : (vector<3x1xf32>, vector<3xf32>) -> vector<3xf32>
      "vector.yield"(%2) : (vector<3xf32>) -> ()
    }) : (vector<3x1xi1>) -> vector<3xf32>
    "func.return"(%0, %1) : (f32, vector<3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// ===== expected
builtin.module {
  func.func @transfers(%arg13: memref<8x6xf32>, %arg14: index) -> (vector<2x3xf32>, vector<4xf32>, vector<6xf32>) {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.transfer_read %arg13[%arg14, %c0], %cst {in_bounds = [false, true]} : memref<8x6xf32>, vector<2x3xf32>
    %1 = vector.transfer_read %arg13[%c5, %c0], %cst {in_bounds = [true]} : memref<8x6xf32>, vector<4xf32>
    %2 = vector.transfer_read %arg13[%arg14, %c0], %cst {in_bounds = [true]} : memref<8x6xf32>, vector<6xf32>
    vector.transfer_write %0, %arg13[%c5, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, memref<8x6xf32>
    func.return %0, %1, %2 : vector<2x3xf32>, vector<4xf32>, vector<6xf32>
  }
  func.func @tensors(%arg10: tensor<4x4xf32>, %arg11: vector<1x4xf32>, %arg12: vector<1x4xf32>) -> (vector<1x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, vector<4x1x3xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = vector.transfer_write %arg12, %arg10[%c2, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %1 = vector.transfer_write %arg12, %0[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %2 = vector.broadcast %arg11 : vector<1x4xf32> to vector<3x1x4xf32>
    %3 = vector.transpose %2, [2, 1, 0] : vector<3x1x4xf32> to vector<4x1x3xf32>
    func.return %arg11, %1, %arg10, %3 : vector<1x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, vector<4x1x3xf32>
  }
  func.func @masked(%arg6: memref<?xf32>, %arg7: index, %arg8: vector<4xi1>, %arg9: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
    %cst = arith.constant dense<[3, 2, 1, 0]> : vector<4xi32>
    %0 = vector.load %arg6[%arg7] : memref<?xf32>, vector<4xf32>
    vector.store %arg9, %arg6[%arg7] : memref<?xf32>, vector<4xf32>
    %1 = vector.maskedload %arg6[%arg7], %arg8, %arg9 : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %2 = vector.gather %arg6[%arg7] [%cst], %arg8, %arg9 : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %arg6[%arg7], %arg8, %arg9 : memref<?xf32>, vector<4xi1>, vector<4xf32>
    func.return %0, %arg9, %1, %arg9, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
  }
  func.func @reduced(%arg0: vector<1xf32>, %arg1: vector<3x1xf32>, %arg2: f32, %arg3: vector<3xf32>, %arg4: vector<1xi1>, %arg5: vector<3x1xi1>) -> (f32, vector<3xf32>) {
    %0 = vector.extract %arg4[0] : i1 from vector<1xi1>
    %1 = vector.extract %arg0[0] : f32 from vector<1xf32>
    %2 = arith.mulf %1, %arg2 : f32
    %3 = arith.select %0, %2, %arg2 : f32
    %4 = vector.shape_cast %arg5 : vector<3x1xi1> to vector<3xi1>
    %5 = vector.shape_cast %arg1 : vector<3x1xf32> to vector<3xf32>
    %6 = arith.addf %arg3, %5 : vector<3xf32>
    %7 = arith.select %4, %6, %5 : vector<3xi1>, vector<3xf32>
    func.return %3, %7 : f32, vector<3xf32>
  }
}
