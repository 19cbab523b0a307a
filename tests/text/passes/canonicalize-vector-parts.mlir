// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// A slice from within a part inserted into a vector, past disjoint insertions.
"builtin.module"() ({
  "func.func"() <{function_type = (vector<6x8xf32>, vector<3x4xf32>, vector<2x2xf32>) -> (vector<3x4xf32>, vector<2x2xf32>, vector<2x4xf32>, vector<1x2xf32>), sym_name = "blocks"}> ({
  ^bb0(%whole: vector<6x8xf32>, %a: vector<3x4xf32>, %b: vector<2x2xf32>):
    %0 = "vector.insert_strided_slice"(%a, %whole) <{offsets = [1, 2], strides = [1, 1]}> : (vector<3x4xf32>, vector<6x8xf32>) -> vector<6x8xf32>
    %1 = "vector.insert_strided_slice"(%b, %0) <{offsets = [4, 0], strides = [1, 1]}> : (vector<2x2xf32>, vector<6x8xf32>) -> vector<6x8xf32>
    %2 = "vector.extract_strided_slice"(%0) <{offsets = [1, 2], sizes = [3, 4], strides = [1, 1]}> : (vector<6x8xf32>) -> vector<3x4xf32>
    %3 = "vector.extract_strided_slice"(%1) <{offsets = [2, 3], sizes = [2, 2], strides = [1, 1]}> : (vector<6x8xf32>) -> vector<2x2xf32>
    %4 = "vector.extract_strided_slice"(%1) <{offsets = [3, 1], sizes = [2, 4], strides = [1, 1]}> : (vector<6x8xf32>) -> vector<2x4xf32>
    %5 = "vector.extract_strided_slice"(%1) <{offsets = [5, 0], sizes = [1, 2], strides = [1, 1]}> : (vector<6x8xf32>) -> vector<1x2xf32>
    "func.return"(%2, %3, %4, %5) : (vector<3x4xf32>, vector<2x2xf32>, vector<2x4xf32>, vector<1x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<3x4x2xf32>, vector<4x2xf32>, vector<2xf32>) -> (vector<2xf32>, f32, vector<2xf32>), sym_name = "elements"}> ({
  ^bb0(%whole: vector<3x4x2xf32>, %a: vector<4x2xf32>, %b: vector<2xf32>):
    %0 = "vector.insert"(%a, %whole) <{static_position = array<i64: 2>}> : (vector<4x2xf32>, vector<3x4x2xf32>) -> vector<3x4x2xf32>
    %1 = "vector.insert"(%b, %0) <{static_position = array<i64: 2, 1>}> : (vector<2xf32>, vector<3x4x2xf32>) -> vector<3x4x2xf32>
    %2 = "vector.extract"(%1) <{static_position = array<i64: 2, 3>}> : (vector<3x4x2xf32>) -> vector<2xf32>
    %3 = "vector.extract"(%1) <{static_position = array<i64: 2, 1, 0>}> : (vector<3x4x2xf32>) -> f32
    %4 = "vector.extract"(%1) <{static_position = array<i64: 1, 1>}> : (vector<3x4x2xf32>) -> vector<2xf32>
    "func.return"(%2, %3, %4) : (vector<2xf32>, f32, vector<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func @blocks(%whole: vector<6x8xf32>, %a: vector<3x4xf32>, %b: vector<2x2xf32>) -> (vector<3x4xf32>, vector<2x2xf32>, vector<2x4xf32>, vector<1x2xf32>) {
    %0 = vector.insert_strided_slice %a, %whole {offsets = [1, 2], strides = [1, 1]} : vector<3x4xf32> into vector<6x8xf32>
    %1 = vector.insert_strided_slice %b, %0 {offsets = [4, 0], strides = [1, 1]} : vector<2x2xf32> into vector<6x8xf32>
    %2 = vector.extract_strided_slice %a {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<3x4xf32> to vector<2x2xf32>
    %3 = vector.extract_strided_slice %1 {offsets = [3, 1], sizes = [2, 4], strides = [1, 1]} : vector<6x8xf32> to vector<2x4xf32>
    %4 = vector.extract %b[1] : vector<2xf32> from vector<2x2xf32>
    %5 = vector.shape_cast %4 : vector<2xf32> to vector<1x2xf32>
    func.return %a, %2, %3, %5 : vector<3x4xf32>, vector<2x2xf32>, vector<2x4xf32>, vector<1x2xf32>
  }
  func.func @elements(%whole: vector<3x4x2xf32>, %a: vector<4x2xf32>, %b: vector<2xf32>) -> (vector<2xf32>, f32, vector<2xf32>) {
    %0 = vector.extract %a[3] : vector<2xf32> from vector<4x2xf32>
    %1 = vector.extract %b[0] : f32 from vector<2xf32>
    %2 = vector.extract %whole[1, 1] : vector<2xf32> from vector<3x4x2xf32>
    func.return %0, %1, %2 : vector<2xf32>, f32, vector<2xf32>
  }
}
