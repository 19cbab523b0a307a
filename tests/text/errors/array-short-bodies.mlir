// errors
func.func @unknown(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %r = array.map (%x in %xs : [n]f32) math.squareroot
  func.return %r : !array.array<[n]f32>
}
// -----
func.func @types(%xs: !array.array<[n]f32>, %is: !array.array<[n]i32>) -> !array.array<[n]f32> {
  %r = array.map (%x in %xs : [n]f32, %i in %is : [n]i32) arith.addf
  func.return %r : !array.array<[n]f32>
}
// -----
func.func @result(%is: !array.array<[n]i32>) -> !array.array<[n]f32> {
  %r = array.map (%i in %is : [n]i32) arith.sitofp
  func.return %r : !array.array<[n]f32>
}
// -----
func.func @nothing(%is: !array.array<[n]i32>) -> !array.array<[n]f32> {
  %r = array.map (%i in %is : [n]i32) 7
  func.return %r : !array.array<[n]f32>
}
// ===== expected
input:3:39: error: `math.squareroot` is not the name of an op
  |
3 |   %r = array.map (%x in %xs : [n]f32) math.squareroot
  |                                       ^^^^^^^^^^^^^^^
input:8:59: error: 'arith.addf' op operand `rhs` must be a floating-point type, or a vector or tensor of it, but is `i32`
  |
8 |   %r = array.map (%x in %xs : [n]f32, %i in %is : [n]i32) arith.addf
  |                                                           ^^^^^^^^^^
  |
  = op: %0 = "arith.addf"(%x, %i) : (f32, i32) -> f32
input:13:39: error: `arith.sitofp` has no rule to infer its result types
   |
13 |   %r = array.map (%i in %is : [n]i32) arith.sitofp
   |                                       ^^^^^^^^^^^^
input:18:39: error: expected '{' to begin a region, or the name of an op
   |
18 |   %r = array.map (%i in %is : [n]i32) 7
   |                                       ^
