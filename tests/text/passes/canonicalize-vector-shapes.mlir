// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Broadcasts, casts and transpositions that say the same are one; what is taken out of them is taken from what they were
// given; parts of vectors.
"builtin.module"() ({
  "func.func"() <{function_type = (vector<3xf32>, vector<2x1x4xf32>, f32) -> (vector<5x3xf32>, vector<3x1xf32>, vector<4x2xf32>, vector<1x2x4xf32>, vector<2x6x3xf32>, vector<12x3xf32>), sym_name = "shapes"}> ({
  ^bb0(%arg14: vector<3xf32>, %arg15: vector<2x1x4xf32>, %arg16: f32):
    %28 = "vector.shape_cast"(%arg14) : (vector<3xf32>) -> vector<1x3xf32>
    %29 = "vector.broadcast"(%28) : (vector<1x3xf32>) -> vector<5x3xf32>
    %30 = "vector.transpose"(%28) <{permutation = array<i64: 1, 0>}> : (vector<1x3xf32>) -> vector<3x1xf32>
    %31 = "vector.broadcast"(%arg16) : (f32) -> vector<2x4xf32>
    %32 = "vector.transpose"(%31) <{permutation = array<i64: 1, 0>}> : (vector<2x4xf32>) -> vector<4x2xf32>
    %33 = "vector.transpose"(%arg15) <{permutation = array<i64: 1, 0, 2>}> : (vector<2x1x4xf32>) -> vector<1x2x4xf32>
    %34 = "vector.broadcast"(%arg14) : (vector<3xf32>) -> vector<6x2x3xf32>
    %35 = "vector.transpose"(%34) <{permutation = array<i64: 1, 0, 2>}> : (vector<6x2x3xf32>) -> vector<2x6x3xf32>
    %36 = "vector.shape_cast"(%34) : (vector<6x2x3xf32>) -> vector<12x3xf32>
    "func.return"(%29, %30, %32, %33, %35, %36) : (vector<5x3xf32>, vector<3x1xf32>, vector<4x2xf32>, vector<1x2x4xf32>, vector<2x6x3xf32>, vector<12x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<2x1x4xf32>) -> vector<8xf32>, sym_name = "casts"}> ({
  ^bb0(%arg13: vector<2x1x4xf32>):
    %26 = "vector.transpose"(%arg13) <{permutation = array<i64: 1, 0, 2>}> : (vector<2x1x4xf32>) -> vector<1x2x4xf32>
    %27 = "vector.shape_cast"(%26) : (vector<1x2x4xf32>) -> vector<8xf32>
    "func.return"(%27) : (vector<8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4xf32>, vector<4xf32>, vector<1x4xf32>, vector<12xf32>, index, f32, f32) -> (f32, f32, vector<4xf32>, f32, vector<2x4xf32>, vector<2xf32>), sym_name = "taken"}> ({
  ^bb0(%arg6: vector<4xf32>, %arg7: vector<4xf32>, %arg8: vector<1x4xf32>, %arg9: vector<12xf32>, %arg10: index, %arg11: f32, %arg12: f32):
    %15 = "vector.shuffle"(%arg6, %arg7) <{mask = array<i64: 0, 6, 2, 5>}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
    %16 = "vector.extract"(%15) <{static_position = array<i64: 1>}> : (vector<4xf32>) -> f32
    %17 = "vector.shape_cast"(%arg9) : (vector<12xf32>) -> vector<3x2x2xf32>
    %18 = "vector.extract"(%17) <{static_position = array<i64: 2, 0, 1>}> : (vector<3x2x2xf32>) -> f32
    %19 = "vector.broadcast"(%arg8) : (vector<1x4xf32>) -> vector<3x5x4xf32>
    %20 = "vector.extract"(%19, %arg10, %arg10) <{static_position = array<i64: -9223372036854775808, -9223372036854775808>}> : (vector<3x5x4xf32>, index, index) -> vector<4xf32>
    %21 = "vector.extract"(%19, %arg10) <{static_position = array<i64: 1, 2, -9223372036854775808>}> : (vector<3x5x4xf32>, index) -> f32
    %22 = "vector.broadcast"(%arg6) : (vector<4xf32>) -> vector<7x2x4xf32>
    %23 = "vector.extract"(%22) <{static_position = array<i64: 3>}> : (vector<7x2x4xf32>) -> vector<2x4xf32>
    %24 = "vector.from_elements"(%arg11, %arg12, %arg12, %arg11) : (f32, f32, f32, f32) -> vector<2x2xf32>
    %25 = "vector.extract"(%24) <{static_position = array<i64: 1>}> : (vector<2x2xf32>) -> vector<2xf32>
    "func.return"(%16, %18, %20, %21, %23, %25) : (f32, f32, vector<4xf32>, f32, vector<2x4xf32>, vector<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, index) -> (vector<6xi1>, vector<6xi1>, vector<6xi1>, vector<3x2xi1>), sym_name = "masks"}> ({
  ^bb0(%arg4: index, %arg5: index):
    %8 = "arith.constant"() <{value = 2 : index}> : () -> index
    %9 = "arith.constant"() <{value = 4 : index}> : () -> index
    %10 = "vector.create_mask"(%8, %arg4) : (index, index) -> vector<4x6xi1>
    %11 = "vector.extract"(%10) <{static_position = array<i64: 1>}> : (vector<4x6xi1>) -> vector<6xi1>
    %12 = "vector.extract"(%10) <{static_position = array<i64: 3>}> : (vector<4x6xi1>) -> vector<6xi1>
    %13 = "vector.extract"(%10, %arg5) <{static_position = array<i64: -9223372036854775808>}> : (vector<4x6xi1>, index) -> vector<6xi1>
    %14 = "vector.extract_strided_slice"(%10) <{offsets = [1, 2], sizes = [3, 2], strides = [1, 1]}> : (vector<4x6xi1>) -> vector<3x2xi1>
    "func.return"(%11, %12, %13, %14) : (vector<6xi1>, vector<6xi1>, vector<6xi1>, vector<3x2xi1>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<3x4xf32>, vector<2x3x4xf32>, f32, f32) -> (vector<2x2xf32>, vector<1x3x4xf32>, vector<3x4xf32>), sym_name = "parts"}> ({
  ^bb0(%arg0: vector<3x4xf32>, %arg1: vector<2x3x4xf32>, %arg2: f32, %arg3: f32):
    %0 = "vector.extract"(%arg0) <{static_position = array<i64: 1, 0>}> : (vector<3x4xf32>) -> f32
    %1 = "vector.extract"(%arg0) <{static_position = array<i64: 1, 1>}> : (vector<3x4xf32>) -> f32
    %2 = "vector.extract"(%arg0) <{static_position = array<i64: 1, 2>}> : (vector<3x4xf32>) -> f32
    %3 = "vector.extract"(%arg0) <{static_position = array<i64: 1, 3>}> : (vector<3x4xf32>) -> f32
    %4 = "vector.from_elements"(%0, %1, %2, %3) : (f32, f32, f32, f32) -> vector<2x2xf32>
    %5 = "vector.extract_strided_slice"(%arg1) <{offsets = [1], sizes = [1], strides = [1]}> : (vector<2x3x4xf32>) -> vector<1x3x4xf32>
    %6 = "vector.insert"(%arg2, %arg0) <{static_position = array<i64: 1, 1>}> : (f32, vector<3x4xf32>) -> vector<3x4xf32>
    %7 = "vector.insert"(%arg3, %6) <{static_position = array<i64: 1, 1>}> : (f32, vector<3x4xf32>) -> vector<3x4xf32>
    "func.return"(%4, %5, %7) : (vector<2x2xf32>, vector<1x3x4xf32>, vector<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// ===== expected
builtin.module {
  func.func @shapes(%arg14: vector<3xf32>, %arg15: vector<2x1x4xf32>, %arg16: f32) -> (vector<5x3xf32>, vector<3x1xf32>, vector<4x2xf32>, vector<1x2x4xf32>, vector<2x6x3xf32>, vector<12x3xf32>) {
    %0 = vector.broadcast %arg14 : vector<3xf32> to vector<5x3xf32>
    %1 = vector.shape_cast %arg14 : vector<3xf32> to vector<3x1xf32>
    %2 = vector.broadcast %arg16 : f32 to vector<4x2xf32>
    %3 = vector.transpose %arg15, [1, 0, 2] : vector<2x1x4xf32> to vector<1x2x4xf32>
    %4 = vector.broadcast %arg14 : vector<3xf32> to vector<2x6x3xf32>
    %5 = vector.broadcast %arg14 : vector<3xf32> to vector<12x3xf32>
    func.return %0, %1, %2, %3, %4, %5 : vector<5x3xf32>, vector<3x1xf32>, vector<4x2xf32>, vector<1x2x4xf32>, vector<2x6x3xf32>, vector<12x3xf32>
  }
  func.func @casts(%arg13: vector<2x1x4xf32>) -> vector<8xf32> {
    %0 = vector.shape_cast %arg13 : vector<2x1x4xf32> to vector<8xf32>
    func.return %0 : vector<8xf32>
  }
  func.func @taken(%arg6: vector<4xf32>, %arg7: vector<4xf32>, %arg8: vector<1x4xf32>, %arg9: vector<12xf32>, %arg10: index, %arg11: f32, %arg12: f32) -> (f32, f32, vector<4xf32>, f32, vector<2x4xf32>, vector<2xf32>) {
    %0 = vector.extract %arg7[2] : f32 from vector<4xf32>
    %1 = vector.extract %arg9[9] : f32 from vector<12xf32>
    %2 = vector.extract %arg8[0] : vector<4xf32> from vector<1x4xf32>
    %3 = vector.extract %arg8[0, %arg10] : f32 from vector<1x4xf32>
    %4 = vector.broadcast %arg6 : vector<4xf32> to vector<2x4xf32>
    %5 = vector.from_elements %arg12, %arg11 : vector<2xf32>
    func.return %0, %1, %2, %3, %4, %5 : f32, f32, vector<4xf32>, f32, vector<2x4xf32>, vector<2xf32>
  }
  func.func @masks(%arg4: index, %arg5: index) -> (vector<6xi1>, vector<6xi1>, vector<6xi1>, vector<3x2xi1>) {
    %c2 = arith.constant 2 : index
    %cst = arith.constant dense<false> : vector<6xi1>
    %c1 = arith.constant 1 : index
    %0 = vector.create_mask %c2, %arg4 : vector<4x6xi1>
    %1 = vector.create_mask %arg4 : vector<6xi1>
    %2 = vector.extract %0[%arg5] : vector<6xi1> from vector<4x6xi1>
    %3 = arith.subi %arg4, %c2 : index
    %4 = vector.create_mask %c1, %3 : vector<3x2xi1>
    func.return %1, %cst, %2, %4 : vector<6xi1>, vector<6xi1>, vector<6xi1>, vector<3x2xi1>
  }
  func.func @parts(%arg0: vector<3x4xf32>, %arg1: vector<2x3x4xf32>, %arg2: f32, %arg3: f32) -> (vector<2x2xf32>, vector<1x3x4xf32>, vector<3x4xf32>) {
    %0 = vector.extract %arg0[1] : vector<4xf32> from vector<3x4xf32>
    %1 = vector.shape_cast %0 : vector<4xf32> to vector<2x2xf32>
    %2 = vector.extract %arg1[1] : vector<3x4xf32> from vector<2x3x4xf32>
    %3 = vector.shape_cast %2 : vector<3x4xf32> to vector<1x3x4xf32>
    %4 = vector.insert %arg3, %arg0 [1, 1] : f32 into vector<3x4xf32>
    func.return %1, %3, %4 : vector<2x2xf32>, vector<1x3x4xf32>, vector<3x4xf32>
  }
}
