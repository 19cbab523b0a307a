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
