// Elements at indices of the program: indices and elements are read once, results are written once.
func.func @main(%xs: !array.array<[n]f32>, %is: !array.array<[m]i32>) -> !array.array<[m]f32> {
  %ys = array.map (%i in %is : [m]i32) {
    %at = arith.index_cast %i : i32 to index
    %y = array.index %xs[%at] : [n]f32
    array.yield %y : f32
  }
  func.return %ys : !array.array<[m]f32>
}
