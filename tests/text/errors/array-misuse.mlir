// errors
// Misuse of combinators is refused with its place: neutral elements of another type, sizes that differ, operators that
// write, arrays of arrays of different lengths.
func.func @neutral(%xs: !array.array<[n]f32>) {
  %zero = arith.constant 0 : i32
  %r = "array.reduce"(%xs, %zero) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: i32, %x: f32):
    "array.yield"(%a) : (i32) -> ()
  }) : (!array.array<[n]f32>, i32) -> i32
  func.return
}
// -----
func.func @sizes(%xs: !array.array<[n]f32>, %ys: !array.array<[m]f32>) {
  %zs = array.map (%x in %xs : [n]f32, %y in %ys : [m]f32) {
    array.yield %x : f32
  }
  func.return
}
// -----
func.func @effects(%xs: !array.array<[n]f32>, %m: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %r = array.reduce (%x in %xs : [n]f32) init (%acc = %zero : f32) {
    memref.store %x, %m[] : memref<f32>
    array.yield %x : f32
  }
  func.return
}
// -----
func.func @irregular(%xs: !array.array<[n]!array.array<[m]f32>>) {
  func.return
}
