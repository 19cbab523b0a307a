// run
// Values go where the indices say; indices out of range are ignored.
// inputs: [2, 0, 7, -1]; [1.5, 2.5, 3.5, 4.5]; [9, 9, 9]
// outputs: [2.5, 9, 1.5]
// inputs: []; []; [1, 2]
// outputs: [1, 2]
// inputs: [0, 1]; [3, 4]; []
// outputs: []
// structure: kernel.scatter 1
// versions: none 0
func.func @main(%is: !array.array<[n]i64>, %vs: !array.array<[n]f32>, %xs: !array.array<[m]f32>) -> !array.array<[m]f32> {
  %ys = array.scatter (%i in %is : [n]i64, %v in %vs : [n]f32) into (%xs : [m]f32) {
    %at = arith.index_cast %i : i64 to index
    array.yield %at, %v : index, f32
  }
  func.return %ys : !array.array<[m]f32>
}
