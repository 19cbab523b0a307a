// run
// An index of the program that is out of range is reported by every device, with the place in the program.
// inputs: [1.5, 2.5, 3.5]; [0, 2, 1]
// outputs: [1.5, 3.5, 2.5]
// inputs: [1.5, 2.5, 3.5]; [0, 3, 1]
// error: out of range
// inputs: [1.5, 2.5, 3.5]; [0, -1, 1]
// error: out of range
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 6
func.func @main(%xs: !array.array<[n]f32>, %is: !array.array<[m]i64>) -> !array.array<[m]f32> {
  %ys = array.map (%i in %is : [m]i64) {
    %at = arith.index_cast %i : i64 to index
    %y = array.index %xs[%at] : [n]f32
    array.yield %y : f32
  }
  func.return %ys : !array.array<[m]f32>
}
