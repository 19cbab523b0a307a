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
