// pass: builtin.module(array-to-fused)
// A product and its sum become one traversal.
func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %ps = array.map (%x in %xs : [n]f32, %y in %ys : [n]f32) {
    %p = arith.mulf %x, %y : f32
    array.yield %p : f32
  }
  %sum = array.reduce (%ps : [n]f32) init (%zero : f32) combine (%s, %p) {
    %u = arith.addf %s, %p : f32
    array.yield %u : f32
  }
  func.return %sum : f32
}
// ===== expected
builtin.module {
  func.func @main(%xs: !array.array<[n]f32> {array.sizes = ["n"]}, %ys: !array.array<[n]f32> {array.sizes = ["n"]}) -> f32 {
    %zero = arith.constant 0.000000e+00 : f32
    %sum = array.redomap (%arg0 in %xs : [n]f32, %arg1 in %ys : [n]f32) init (%zero : f32) map {
      %p = arith.mulf %arg0, %arg1 : f32
      array.yield %p : f32
    } combine (%arg0, %arg1) {
      %u = arith.addf %arg0, %arg1 : f32
      array.yield %u : f32
    }
    func.return %sum : f32
  }
}
