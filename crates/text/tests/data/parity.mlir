"t"() {a = 1 : i32, b = -1 : i8, c = 255 : ui8, d = true, e = 3 : index, f = -5 : si64, g = 0xFF, h = 170141183460469231731687303715884105727 : i128, i = 1 : i1, j = 0 : i0} : () -> ()
// -----
"t"() {a = 1.0 : f32, b = 1.5, c = -0.0 : f16, d = 1.0e-5 : bf16, e = 0x7FC00000 : f32, f = 0x7F800000 : f32, g = 3.14159265358979 : f64, h = 1.0e300 : f80, i = 1.0 : f128, j = 0xFF : f8E4M3FN, k = 1.0 : tf32, l = 0.1 : f8E5M2, m = 0.1 : f8E4M3FNUZ, n = 448.0 : f8E4M3FN, o = 1.0 : f8E8M0FNU, p = 6.0 : f4E2M1FN, q = 7.5 : f6E2M3FN, r = 28.0 : f6E3M2FN, s = 0.1 : f8E3M4, t = 0.1 : f8E4M3, u = 0.1 : f8E4M3B11FNUZ, v = 0.1:f8E5M2FNUZ} : () -> ()
// -----
"t"() {a = "hello", b = "with \22quote\22 \\ \0A nl \n tab \t \FF end", c = "typed" : i32, d = ""} : () -> ()
// -----
"t"() {a = [], b = [1, 2 : i8, "x", [unit]], c = {}, d = {x, y = 1, "quoted key" = 2}, e, f = unit} : () -> ()
// -----
"t"() {a = @f, b = @f::@g::@"h i", c = @"x y", d = i32, e = (i32) -> f32, f = () -> (), g = (i1, i2) -> (i3, i4), h = ((i32) -> f32) -> ()} : () -> ()
// -----
"t"() {a = dense<1> : tensor<4xi32>, b = dense<[1,2,3]> : tensor<3xi8>, c = dense<[[1.0, 2.0], [3.0, 4.5]]> : tensor<2x2xf32>, d = dense<> : tensor<0xf32>, e = dense<true> : tensor<2xi1>, f = dense<[true, false]> : vector<2xi1>, g = dense<5> : tensor<i64>, h = dense<[(1.0,2.0),(3.0,4.0)]> : tensor<2xcomplex<f32>>, i = dense<(1,2)> : tensor<complex<i8>>, j = dense<0x7FC00000> : tensor<f32>, k = dense<[0xFF80, 1.0]> : tensor<2xbf16>} : () -> ()
// -----
"t"() {a = dense<"0x01000000020000000300000004000000"> : tensor<4xi32>, b = dense<"0x01000000"> : tensor<4xi32>, c = dense<["a", "b\22"]> : tensor<2x!foo.str>, d = dense<"s"> : tensor<2x!foo.str>, e = dense<1> : tensor<2xindex>, f = dense<[1, -1]> : tensor<2xi4>, g = dense<[1, -1]> : tensor<2xi17>, h = dense<[[], []]> : tensor<2x0xi32>} : () -> ()
// -----
"t"() {a = sparse<[[0,0],[1,2]], [1,5]> : tensor<3x4xi32>, b = sparse<0, 1> : tensor<1xi32>, c = sparse<[], []> : tensor<3xf32>, d = sparse<[[0, 0]], 1.0> : tensor<3x4xf32>, e = sparse<> : vector<2xf32>} : () -> ()
// -----
"t"() {a = array<i32>, b = array<i32: 1, -2, 3>, c = array<i64: 1>, d = array<f32: 1.0, 0x7FC00000>, e = array<i1: true, false>, f = array<i8: 255, -1>, g = array<f64: 1.5>, h = array<bf16: 1.0>} : () -> ()
// -----
"t"() {a = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 * 2, d0 mod 4, d0 floordiv s0, d1 ceildiv 3)>, b = affine_map<() -> ()>, c = affine_map<() -> (0)>, d = affine_map<(i, j) -> (j, i)>, e = affine_map<(d0) -> (-d0)>, f = affine_map<(d0, d1) -> (d0 - d1, d0 - 1, (d0 + d1) * 3, 2 * d0)>, g = affine_map<(d0)[s0, s1] -> ((d0 + s0) floordiv (s1 + 1), s0 * s1)>, h = affine_map<()[s0] -> (s0)>} : () -> ()
// -----
"t"() {a = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 4)>, b = affine_set<(d0, d1) : (d0 >= d1, d0 <= 10, d0 + d1 == 3)>, c = affine_set<() : (1 == 0)>, d = affine_set<(d0) : ()>} : () -> ()
// -----
"t"() {a = strided<[1, 2]>, b = strided<[?, 1], offset: ?>, c = strided<[], offset: 3>, d = strided<[-1, 5], offset: -2>} : () -> ()
// -----
"t"() : () -> (tensor<0xf32>, tensor<4x?xf32>, tensor<*xf32>, tensor<f32>, vector<4xf32>, vector<[4]x2xf32>, vector<f32>, memref<4xf32>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<4xf32, 1>, memref<4xf32, affine_map<(d0) -> (d0 + 1)>, 3 : i32>, memref<*xf32>, memref<*xi8, "space">, complex<f32>, tuple<>, tuple<i32, f32>, none, index, i1, si8, ui16, i37, f16, bf16, f32, f64, f80, f128, tf32, f8E5M2, f4E2M1FN, () -> (), memref<2xmemref<4xf32>>, tensor<2xvector<4xf32>>, tensor<2xcomplex<f64>>, tensor<4xf32, "enc">, tensor<4x4xf32, #foo.bar<x>>, memref<0x0xi8>)
// -----
"t"() {a = #foo.bar, b = #foo.bar<baz>, c = #foo<bar>, d = #foo<"str">, e = #foo.bar<a -> b, [c], {d = "}"}>, f = #foo.bar<x> : i32, g = !foo.ty, h = !foo.ty<a, b<c>>, i = !foo<x y>, j = !foo<bar<z>>, k = #foo.a.b.c<d>} : () -> ()
// -----
"t"() {a = distinct[0]<42 : i32>, b = distinct[1]<unit>, c = distinct[0]<42 : i32>, d = distinct[2]<>} : () -> ()
// -----
%0:2 = "a"() : () -> (i32, f32)
%1, %2:3 = "b"(%0#0, %0#1) : (i32, f32) -> (i1, i2, i3, i4)
"c"(%1, %2#0, %2#2) : (i1, i2, i4) -> ()
// -----
"f"() ({
^bb0(%a: i32, %b: f32):
  "br"(%a)[^bb1, ^bb2] : (i32) -> ()
^bb1:
  "br"()[^bb2] : () -> ()
^bb2:
  "ret"() : () -> ()
}, {
}, {
  "x"() : () -> ()
}) : () -> ()
// -----
"g"() ({
  "use"(%x, %y#1) : (i32, i32) -> ()
  %x, %y:2 = "def"() : () -> (i32, i32, i32)
}) : () -> ()
// -----
#map = affine_map<(d0) -> (d0 + 1)>
!t = tensor<4xf32>
#attr = {x = 1, m = #map}
"t"() {a = #map, b = #attr, c = !t} : () -> !t
// -----
"t"() <{p = 1 : i32, q = "s"}> {r = 2 : i32} : () -> ()
// -----
"t"() {a = loc("file":1:2), b = loc(unknown), c = loc("name"), d = loc("name"("f":1:2)), e = loc(fused["a":1:1, "b":2:2]), f = loc(fused<"meta">["a":1:1]), g = loc(callsite("a":1:1 at "b":2:2)), h = loc("f":1:2 to 3:4), i = loc("f":1:2 to :9)} : () -> ()
// -----
"t"() {a = dense_resource<blob> : tensor<4xi32>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001000000020000000300000004000000"
    }
  }
#-}
// -----
"module"() {llvm.dlti = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>>} : () -> ()
// -----
"t"() {a = !foo<"a b">, b = !foo.x<"<">, c = #foo.x<->>, d = !foo.x<(i32) -> f32>} : () -> ()
// -----
"quoted name"() : () -> ()
"a.b.c-d"() : () -> ()
// -----
"t"() {a = dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>, b = dense<1.0> : vector<[4]xf32>, c = dense<-1> : tensor<2xi64>, d = dense<[-1.5, 2.0]> : tensor<2xf64>, e = dense<[1.0, 2.0, 1.0e10, 1.0e-10]> : tensor<4xf32>} : () -> ()
// -----
"t"() {a = array<i32: 0x7F>, b = [#foo.x, #foo.y<1>, !foo.z], c = ["a" : !foo.t]} : () -> ()
// -----
func.func @f(%arg0: memref<4x4xf32>, %i: index) -> f32 attributes {x = 1 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant dense<1.0> : vector<4xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %c0) -> (index) {
    %v = memref.load %arg0[%k, %c0] : memref<4x4xf32>
    %n = arith.addi %acc, %c1 overflow<nsw> : index
    scf.yield %n : index
  }
  %x = memref.load %arg0[%r, %c0] : memref<4x4xf32>
  return %x : f32
}
func.func private @decl(i32, f32 {a.b}) -> (i32 {c.d = 1 : i32})
// -----
gpu.module @m {
  gpu.func @k(%a: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    gpu.barrier
    gpu.return
  }
}
// -----
llvm.func @f(%a: !llvm.ptr, %b: i32) -> !llvm.struct<(i32, ptr)> {
  %u = llvm.mlir.undef : !llvm.struct<(i32, ptr)>
  %1 = llvm.insertvalue %b, %u[0] : !llvm.struct<(i32, ptr)>
  llvm.return %1 : !llvm.struct<(i32, ptr)>
}
llvm.mlir.global internal constant @s("foo\00") {addr_space = 0 : i32}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @l(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
// -----
spirv.module Logical GLSL450 { spirv.func @f() "None" { spirv.Return } }
// -----
async.func @a() -> !async.value<f32> { %c = arith.constant 1.0 : f32
 return %c : f32 }
// -----
func.func @q(%a: !quant.uniform<i8:f32, 2.0:-1>, %t: tensor<4x!quant.uniform<i8<-8:7>:f32:0, {1.0, 2.0:3}>>) { return }
// -----
"t"() {a = dense_resource<blob> : tensor<4xi32>, b = dense_resource<"b c"> : tensor<4xi32>, c = dense_resource<none> : tensor<1xi32>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      "b c": "0x080000000100000002000000030000000400000000000000",
      unused: "0x0800000001000000",
      blob: "0x0400000001000000020000000300000004000000"
    }
  },
  external_resources: {
    mlir_reproducer: {
      verify_each: true
    },
    foo: { x: "abc" }
  }
#-}
// -----
"t"() {"a b" = 1, "0x" = 2, a.b.c = 3, _x = 4} : () -> ()
// -----
"t"() {a = 0xFFFFFFFFFFFFFFFF : i64, b = -9223372036854775808 : i64, c = 18446744073709551615 : ui64, d = 340282366920938463463374607431768211455 : ui128} : () -> ()
// -----
#l = loc("file.py":10:5)
%x = "a"() {n = 1.0 : f32} : () -> i32 loc("x")
"b"(%x) ({
  ^entry(%q: i32 loc("q")):
   "c"(%q) : (i32) -> () loc(fused[#l, "z"])
}) : (i32) -> () loc(#l)
