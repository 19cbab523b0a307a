// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Shuffles, blocks of vectors, reductions of one element, masks that are constant, numbers compared with a constant.
"builtin.module"() ({
  "func.func"() <{function_type = (vector<4xi32>, vector<2xi32>, vector<2xi32>, i32) -> (vector<4xi32>, vector<2xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>), sym_name = "shuffles"}> ({
  ^bb0(%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<2xi32>, %x: i32):
    %0 = "vector.shuffle"(%a, %b) <{mask = array<i64: 0, 1, 2, 3>}> : (vector<4xi32>, vector<2xi32>) -> vector<4xi32>
    %1 = "vector.shuffle"(%a, %b) <{mask = array<i64: 4, 5>}> : (vector<4xi32>, vector<2xi32>) -> vector<2xi32>
    %2 = "vector.shuffle"(%b, %c) <{mask = array<i64: 0, 2, 1, 3>}> : (vector<2xi32>, vector<2xi32>) -> vector<4xi32>
    %k = "arith.constant"() <{value = dense<[10, 11, 12]> : vector<3xi32>}> : () -> vector<3xi32>
    %l = "arith.constant"() <{value = dense<[13, 14, 15]> : vector<3xi32>}> : () -> vector<3xi32>
    %3 = "vector.shuffle"(%k, %l) <{mask = array<i64: 3, -1, 5, 1>}> : (vector<3xi32>, vector<3xi32>) -> vector<4xi32>
    %s = "vector.broadcast"(%x) : (i32) -> vector<4xi32>
    %t = "vector.broadcast"(%x) : (i32) -> vector<2xi32>
    %4 = "vector.shuffle"(%s, %t) <{mask = array<i64: 2, 3, 4, 5>}> : (vector<4xi32>, vector<2xi32>) -> vector<4xi32>
    "func.return"(%0, %1, %2, %3, %4) : (vector<4xi32>, vector<2xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4xf16>, vector<1xf32>, f32, vector<8x16xf32>) -> (vector<2x2xf16>, vector<1x4xf32>, vector<2x3xf32>, vector<8x16xf32>), sym_name = "blocks"}> ({
  ^bb0(%a: vector<4xf16>, %b: vector<1xf32>, %x: f32, %m: vector<8x16xf32>):
    %0 = "vector.broadcast"(%a) : (vector<4xf16>) -> vector<16x4xf16>
    %1 = "vector.extract_strided_slice"(%0) <{offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}> : (vector<16x4xf16>) -> vector<2x2xf16>
    %2 = "vector.broadcast"(%b) : (vector<1xf32>) -> vector<1x8xf32>
    %3 = "vector.extract_strided_slice"(%2) <{offsets = [0, 4], sizes = [1, 4], strides = [1, 1]}> : (vector<1x8xf32>) -> vector<1x4xf32>
    %4 = "vector.broadcast"(%x) : (f32) -> vector<4x4xf32>
    %5 = "vector.extract_strided_slice"(%4) <{offsets = [1, 0], sizes = [2, 3], strides = [1, 1]}> : (vector<4x4xf32>) -> vector<2x3xf32>
    %6 = "vector.extract_strided_slice"(%m) <{offsets = [0, 8], sizes = [2, 4], strides = [1, 1]}> : (vector<8x16xf32>) -> vector<2x4xf32>
    %7 = "vector.insert_strided_slice"(%6, %m) <{offsets = [0, 8], strides = [1, 1]}> : (vector<2x4xf32>, vector<8x16xf32>) -> vector<8x16xf32>
    "func.return"(%1, %3, %5, %7) : (vector<2x2xf16>, vector<1x4xf32>, vector<2x3xf32>, vector<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<32x16x4xf16>, vector<6x4xf32>, vector<8x16xf32>, vector<3x1x2xf32>) -> (vector<4xf16>, f32, f32), sym_name = "taken"}> ({
  ^bb0(%a: vector<32x16x4xf16>, %b: vector<6x4xf32>, %c: vector<8x16xf32>, %d: vector<3x1x2xf32>):
    %0 = "vector.extract_strided_slice"(%a) <{offsets = [7, 3], sizes = [10, 8], strides = [1, 1]}> : (vector<32x16x4xf16>) -> vector<10x8x4xf16>
    %1 = "vector.extract"(%0) <{static_position = array<i64: 2, 4>}> : (vector<10x8x4xf16>) -> vector<4xf16>
    %2 = "vector.insert_strided_slice"(%b, %c) <{offsets = [2, 2], strides = [1, 1]}> : (vector<6x4xf32>, vector<8x16xf32>) -> vector<8x16xf32>
    %3 = "vector.extract"(%2) <{static_position = array<i64: 2, 4>}> : (vector<8x16xf32>) -> f32
    %5 = "vector.broadcast"(%d) : (vector<3x1x2xf32>) -> vector<3x4x2xf32>
    %6 = "vector.extract"(%5) <{static_position = array<i64: 1, 2, 1>}> : (vector<3x4x2xf32>) -> f32
    "func.return"(%1, %3, %6) : (vector<4xf16>, f32, f32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<1xf32>, f32, vector<5x1x4xf32>, vector<5x4xf32>, vector<2xf32>) -> (f32, f32, vector<5x4xf32>, f32, f32, f32, f32), sym_name = "reductions"}> ({
  ^bb0(%v: vector<1xf32>, %x: f32, %w: vector<5x1x4xf32>, %acc: vector<5x4xf32>, %p: vector<2xf32>):
    %0 = "vector.reduction"(%v) <{kind = #vector.kind<add>}> : (vector<1xf32>) -> f32
    %1 = "vector.reduction"(%v, %x) <{kind = #vector.kind<maximumf>}> : (vector<1xf32>, f32) -> f32
    %2 = "vector.multi_reduction"(%w, %acc) <{kind = #vector.kind<mul>, reduction_dims = array<i64: 1>}> : (vector<5x1x4xf32>, vector<5x4xf32>) -> vector<5x4xf32>
    %3 = "vector.broadcast"(%p) : (vector<2xf32>) -> vector<2x2xf32>
    %4:4 = "vector.to_elements"(%3) : (vector<2x2xf32>) -> (f32, f32, f32, f32)
    "func.return"(%0, %1, %2, %4#0, %4#1, %4#2, %4#3) : (f32, f32, vector<5x4xf32>, f32, f32, f32, f32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, vector<8xf32>, vector<8xi1>, vector<8xf32>) -> (vector<2x4xi1>, vector<2x4xi1>, vector<4x2x3xi1>, vector<2x4xi1>, vector<5x7xi1>, vector<8xf32>, vector<8xf32>), sym_name = "masks"}> ({
  ^bb0(%n: index, %v: vector<8xf32>, %m: vector<8xi1>, %w: vector<8xf32>):
    %0 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 2, 4>}> : () -> vector<2x4xi1>
    %1 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 0, 0>}> : () -> vector<2x4xi1>
    %2 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 1, 2, 3>}> : () -> vector<2x3x4xi1>
    %3 = "vector.transpose"(%2) <{permutation = array<i64: 2, 0, 1>}> : (vector<2x3x4xi1>) -> vector<4x2x3xi1>
    %c1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %4 = "vector.create_mask"(%n, %c1, %c1) : (index, index, index) -> vector<2x4x1xi1>
    %5 = "vector.shape_cast"(%4) : (vector<2x4x1xi1>) -> vector<2x4xi1>
    %6 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 10, 4>}> : () -> vector<12x7xi1>
    %7 = "vector.extract_strided_slice"(%6) <{offsets = [6], sizes = [5], strides = [1]}> : (vector<12x7xi1>) -> vector<5x7xi1>
    %8 = "vector.mask"(%m) ({
      "vector.yield"(%v) : (vector<8xf32>) -> ()
    }) : (vector<8xi1>) -> vector<8xf32>
    %9 = "vector.mask"(%m, %w) ({
      "vector.yield"(%v) : (vector<8xf32>) -> ()
    }) : (vector<8xi1>, vector<8xf32>) -> vector<8xf32>
    "func.return"(%0, %1, %3, %5, %7, %8, %9) : (vector<2x4xi1>, vector<2x4xi1>, vector<4x2x3xi1>, vector<2x4xi1>, vector<5x7xi1>, vector<8xf32>, vector<8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (vector<3xi1>, vector<3xi1>, vector<3xi1>), sym_name = "steps"}> ({
    %0 = "vector.step"() : () -> vector<3xindex>
    %c3 = "arith.constant"() <{value = dense<3> : vector<3xindex>}> : () -> vector<3xindex>
    %c2 = "arith.constant"() <{value = dense<2> : vector<3xindex>}> : () -> vector<3xindex>
    %1 = "arith.cmpi"(%0, %c3) <{predicate = 6 : i64}> : (vector<3xindex>, vector<3xindex>) -> vector<3xi1>
    %2 = "arith.cmpi"(%0, %c2) <{predicate = 6 : i64}> : (vector<3xindex>, vector<3xindex>) -> vector<3xi1>
    %3 = "arith.cmpi"(%0, %c3) <{predicate = 0 : i64}> : (vector<3xindex>, vector<3xindex>) -> vector<3xi1>
    "func.return"(%1, %2, %3) : (vector<3xi1>, vector<3xi1>, vector<3xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func @shuffles(%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<2xi32>, %x: i32) -> (vector<4xi32>, vector<2xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>) {
    %cst = arith.constant dense<[13, 10, 15, 11]> : vector<4xi32>
    %0 = vector.interleave %b, %c : vector<2xi32> -> vector<4xi32>
    %1 = vector.broadcast %x : i32 to vector<4xi32>
    func.return %a, %b, %0, %cst, %1 : vector<4xi32>, vector<2xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>
  }
  func.func @blocks(%a: vector<4xf16>, %b: vector<1xf32>, %x: f32, %m: vector<8x16xf32>) -> (vector<2x2xf16>, vector<1x4xf32>, vector<2x3xf32>, vector<8x16xf32>) {
    %0 = vector.extract_strided_slice %a {offsets = [1], sizes = [2], strides = [1]} : vector<4xf16> to vector<2xf16>
    %1 = vector.broadcast %0 : vector<2xf16> to vector<2x2xf16>
    %2 = vector.broadcast %b : vector<1xf32> to vector<1x4xf32>
    %3 = vector.broadcast %x : f32 to vector<2x3xf32>
    func.return %1, %2, %3, %m : vector<2x2xf16>, vector<1x4xf32>, vector<2x3xf32>, vector<8x16xf32>
  }
  func.func @taken(%a: vector<32x16x4xf16>, %b: vector<6x4xf32>, %c: vector<8x16xf32>, %d: vector<3x1x2xf32>) -> (vector<4xf16>, f32, f32) {
    %0 = vector.extract %a[9, 7] : vector<4xf16> from vector<32x16x4xf16>
    %1 = vector.extract %b[0, 2] : f32 from vector<6x4xf32>
    %2 = vector.extract %d[1, 0, 1] : f32 from vector<3x1x2xf32>
    func.return %0, %1, %2 : vector<4xf16>, f32, f32
  }
  func.func @reductions(%v: vector<1xf32>, %x: f32, %w: vector<5x1x4xf32>, %acc: vector<5x4xf32>, %p: vector<2xf32>) -> (f32, f32, vector<5x4xf32>, f32, f32, f32, f32) {
    %0 = vector.extract %v[0] : f32 from vector<1xf32>
    %1 = vector.extract %v[0] : f32 from vector<1xf32>
    %2 = arith.maximumf %1, %x : f32
    %3 = vector.shape_cast %w : vector<5x1x4xf32> to vector<5x4xf32>
    %4 = arith.mulf %acc, %3 : vector<5x4xf32>
    %5:2 = vector.to_elements %p : vector<2xf32>
    func.return %0, %2, %4, %5#0, %5#1, %5#0, %5#1 : f32, f32, vector<5x4xf32>, f32, f32, f32, f32
  }
  func.func @masks(%n: index, %v: vector<8xf32>, %m: vector<8xi1>, %w: vector<8xf32>) -> (vector<2x4xi1>, vector<2x4xi1>, vector<4x2x3xi1>, vector<2x4xi1>, vector<5x7xi1>, vector<8xf32>, vector<8xf32>) {
    %cst = arith.constant dense<true> : vector<2x4xi1>
    %cst_0 = arith.constant dense<false> : vector<2x4xi1>
    %c1 = arith.constant 1 : index
    %0 = vector.constant_mask [3, 1, 2] : vector<4x2x3xi1>
    %1 = vector.create_mask %n, %c1 : vector<2x4xi1>
    %2 = vector.constant_mask [4, 4] : vector<5x7xi1>
    %3 = arith.select %m, %v, %w : vector<8xi1>, vector<8xf32>
    func.return %cst, %cst_0, %0, %1, %2, %v, %3 : vector<2x4xi1>, vector<2x4xi1>, vector<4x2x3xi1>, vector<2x4xi1>, vector<5x7xi1>, vector<8xf32>, vector<8xf32>
  }
  func.func @steps() -> (vector<3xi1>, vector<3xi1>, vector<3xi1>) {
    %cst = arith.constant dense<false> : vector<3xi1>
    %c2 = arith.constant dense<2> : vector<3xindex>
    %cst_0 = arith.constant dense<true> : vector<3xi1>
    %0 = vector.step : vector<3xindex>
    %1 = arith.cmpi ult, %0, %c2 : vector<3xindex>
    func.return %cst_0, %1, %cst : vector<3xi1>, vector<3xi1>, vector<3xi1>
  }
}
