// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// vector: what is taken out of what was put together; constants moved; casts and broadcasts in a row.
module {
  func.func @constants() -> (i32, vector<3xi32>, vector<2x2xi32>, vector<6xi32>, vector<2xf32>) {
    %c = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : vector<2x3xi32>
    %a = vector.extract %c[1, 1] : i32 from vector<2x3xi32>
    %b = vector.extract %c[1] : vector<3xi32> from vector<2x3xi32>
    %d = "vector.extract_strided_slice"(%c) <{offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}> : (vector<2x3xi32>) -> vector<2x2xi32>
    %e = "vector.shape_cast"(%c) : (vector<2x3xi32>) -> vector<6xi32>
    %s = arith.constant 2.0 : f32
    %f = vector.broadcast %s : f32 to vector<2xf32>
    return %a, %b, %d, %e, %f : i32, vector<3xi32>, vector<2x2xi32>, vector<6xi32>, vector<2xf32>
  }
  func.func @chains(%x: vector<4xf32>, %m: vector<2x3x4xf32>) -> (vector<2x2xf32>, vector<3x2x4xf32>, f32) {
    %a = "vector.shape_cast"(%x) : (vector<4xf32>) -> vector<1x4xf32>
    %b = "vector.shape_cast"(%a) : (vector<1x4xf32>) -> vector<2x2xf32>
    %c = vector.broadcast %x : vector<4xf32> to vector<2x4xf32>
    %d = vector.broadcast %c : vector<2x4xf32> to vector<3x2x4xf32>
    %e = vector.extract %m[1] : vector<3x4xf32> from vector<2x3x4xf32>
    %f = vector.extract %e[0, 2] : f32 from vector<3x4xf32>
    return %b, %d, %f : vector<2x2xf32>, vector<3x2x4xf32>, f32
  }
  func.func @taken_out(%x: f32, %y: f32, %v: vector<4xf32>) -> (f32, f32, f32, vector<4xf32>) {
    %a = vector.insert %x, %v[1] : f32 into vector<4xf32>
    %b = vector.extract %a[1] : f32 from vector<4xf32>
    %c = vector.extract %a[2] : f32 from vector<4xf32>
    %d = "vector.from_elements"(%x, %y) : (f32, f32) -> vector<2xf32>
    %e = vector.extract %d[1] : f32 from vector<2xf32>
    %f:4 = "vector.to_elements"(%v) : (vector<4xf32>) -> (f32, f32, f32, f32)
    %g = "vector.from_elements"(%f#0, %f#1, %f#2, %f#3) : (f32, f32, f32, f32) -> vector<4xf32>
    return %b, %c, %e, %g : f32, f32, f32, vector<4xf32>
  }
  func.func @transposed(%m: vector<2x3x4xf32>) -> (vector<2x3x4xf32>, vector<4x3x2xf32>) {
    %a = "vector.transpose"(%m) <{permutation = array<i64: 1, 2, 0>}> : (vector<2x3x4xf32>) -> vector<3x4x2xf32>
    %b = "vector.transpose"(%a) <{permutation = array<i64: 2, 0, 1>}> : (vector<3x4x2xf32>) -> vector<2x3x4xf32>
    %c = "vector.transpose"(%a) <{permutation = array<i64: 1, 0, 2>}> : (vector<3x4x2xf32>) -> vector<4x3x2xf32>
    return %b, %c : vector<2x3x4xf32>, vector<4x3x2xf32>
  }
  func.func @masks() -> vector<4x3xi1> {
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %a = "vector.create_mask"(%c3, %c2) : (index, index) -> vector<4x3xi1>
    return %a : vector<4x3xi1>
  }
}
// ===== expected
builtin.module {
  func.func @constants() -> (i32, vector<3xi32>, vector<2x2xi32>, vector<6xi32>, vector<2xf32>) {
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<[3, 4, 5]> : vector<3xi32>
    %cst_0 = arith.constant dense<[[1, 2], [4, 5]]> : vector<2x2xi32>
    %cst_1 = arith.constant dense<[0, 1, 2, 3, 4, 5]> : vector<6xi32>
    %cst_2 = arith.constant dense<2.000000e+00> : vector<2xf32>
    func.return %c4_i32, %cst, %cst_0, %cst_1, %cst_2 : i32, vector<3xi32>, vector<2x2xi32>, vector<6xi32>, vector<2xf32>
  }
  func.func @chains(%x: vector<4xf32>, %m: vector<2x3x4xf32>) -> (vector<2x2xf32>, vector<3x2x4xf32>, f32) {
    %b = vector.shape_cast %x : vector<4xf32> to vector<2x2xf32>
    %d = vector.broadcast %x : vector<4xf32> to vector<3x2x4xf32>
    %0 = vector.extract %m[1, 0, 2] : f32 from vector<2x3x4xf32>
    func.return %b, %d, %0 : vector<2x2xf32>, vector<3x2x4xf32>, f32
  }
  func.func @taken_out(%x: f32, %y: f32, %v: vector<4xf32>) -> (f32, f32, f32, vector<4xf32>) {
    %c = vector.extract %v[2] : f32 from vector<4xf32>
    func.return %x, %c, %y, %v : f32, f32, f32, vector<4xf32>
  }
  func.func @transposed(%m: vector<2x3x4xf32>) -> (vector<2x3x4xf32>, vector<4x3x2xf32>) {
    %0 = vector.transpose %m, [2, 1, 0] : vector<2x3x4xf32> to vector<4x3x2xf32>
    func.return %m, %0 : vector<2x3x4xf32>, vector<4x3x2xf32>
  }
  func.func @masks() -> vector<4x3xi1> {
    %0 = vector.constant_mask [3, 2] : vector<4x3xi1>
    func.return %0 : vector<4x3xi1>
  }
}
