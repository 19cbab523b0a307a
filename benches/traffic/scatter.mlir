// Values go where the indices say: indices and values are read once, the array is copied and written.
func.func @main(%is: !array.array<[n]i32>, %vs: !array.array<[n]f32>, %xs: !array.array<[m]f32>) -> !array.array<[m]f32> {
  %ys = array.scatter (%i in %is : [n]i32, %v in %vs : [n]f32) into (%xs : [m]f32) {
    %at = arith.index_cast %i : i32 to index
    array.yield %at, %v : index, f32
  }
  func.return %ys : !array.array<[m]f32>
}
