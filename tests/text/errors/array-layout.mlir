// errors
// Misuse of arrays is refused with its place.
func.func @reshape(%xs: !array.array<[6]f32>, %n: index) {
  %a = array.reshape %xs, [%n] : [6]f32 -> [5]f32
  func.return
}
// -----
func.func @reverse(%xs: !array.array<[n]f32>) {
  %a = array.reverse %xs, 1 : [n]f32
  func.return
}
// -----
func.func @slice(%xs: !array.array<[n][m]f32>, %i: index) {
  %a = array.slice %xs[%i] sizes [%i, %i] strides [%i, %i] : [n][m]f32 -> [?][?]f32
  func.return
}
// -----
func.func @concat(%xs: !array.array<[n][2]f32>, %ys: !array.array<[n][3]f32>) {
  %a = array.concat %xs, %ys : [n][2]f32, [n][3]f32 -> [?][2]f32
  func.return
}
// -----
func.func @pad(%xs: !array.array<[n]f32>, %i: index) {
  %a = array.pad %xs, %i low [%i] high [%i] : [n]f32 -> [?]f32
  func.return
}
// -----
func.func @update(%xs: !array.array<[n]f32>, %i: index) {
  %a = array.update %i, %xs[%i] : index, [n]f32
  func.return
}
// -----
func.func @gather(%xs: !array.array<[n]f32>, %is: !array.array<[m]i32>) {
  %a = array.gather %xs[%is] : [n]f32, [m]i32
  func.return
}
// ===== expected
input:4:8: error: 'array.reshape' op makes 5 elements of 6
  |
4 |   %a = array.reshape %xs, [%n] : [6]f32 -> [5]f32
  |        ^^^^^^^^^^^^^
  |
  = op: %a = "array.reshape"(%xs, %n) : (!array.array<[6]f32>, index) -> !array.array<[5]f32>
input:9:8: error: 'array.reverse' op attribute `dim` is 1, but the array has rank 1
  |
9 |   %a = array.reverse %xs, 1 : [n]f32
  |        ^^^^^^^^^^^^^
  |
  = op: %a = "array.reverse"(%xs) <{dim = 1 : i64}> : (!array.array<[n]f32>) -> !array.array<[n]f32>
input:14:8: error: 'array.slice' op operand `offsets` has 1 entries for rank 2
   |
14 |   %a = array.slice %xs[%i] sizes [%i, %i] strides [%i, %i] : [n][m]f32 -> [?][?]f32
   |        ^^^^^^^^^^^
   |
   = op: %a = "array.slice"(%xs, %i, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 2, 2>}> : (!array.array<[n][m]f32>, index, index, index, index, index) -> !array.array<[?][?]f32>
input:19:8: error: 'array.concat' op operand `arrays` #1 must have rows `!array.array<[2]f32>`
   |
19 |   %a = array.concat %xs, %ys : [n][2]f32, [n][3]f32 -> [?][2]f32
   |        ^^^^^^^^^^^^
   |
   = op: %a = "array.concat"(%xs, %ys) : (!array.array<[n][2]f32>, !array.array<[n][3]f32>) -> !array.array<[?][2]f32>
input:24:23: error: use of value '%i' expects different type than prior uses: 'f32' vs 'index'
   |
24 |   %a = array.pad %xs, %i low [%i] high [%i] : [n]f32 -> [?]f32
   |                       ^^
   |
input:23:43: note: prior use here
   |
23 | func.func @pad(%xs: !array.array<[n]f32>, %i: index) {
   |                                           ^^
input:29:8: error: 'array.update' op operand `value` must be `f32`
   |
29 |   %a = array.update %i, %xs[%i] : index, [n]f32
   |        ^^^^^^^^^^^^
   |
   = op: %a = "array.update"(%i, %xs, %i) : (index, !array.array<[n]f32>, index) -> !array.array<[n]f32>
input:34:8: error: 'array.gather' op operand `indices` must be an array of rank 1 with elements of type index
   |
34 |   %a = array.gather %xs[%is] : [n]f32, [m]i32
   |        ^^^^^^^^^^^^
   |
   = op: %a = "array.gather"(%xs, %is) : (!array.array<[n]f32>, !array.array<[m]i32>) -> !array.array<[m]f32>
