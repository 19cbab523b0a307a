// run
// A gather whose rows have no elements stops at indices out of range, too.
// inputs: [10, 20, 30]; 0; [0]
// outputs: [[]]
// inputs: [10, 20, 30]; 0; []
// inputs: [10, 20, 30]; 2; [2, 0]
// outputs: [[1, 1], [1, 1]]
// inputs: [10, 20, 30]; 0; [1, 3]
// error: @array.gather@ ... 'array.gather' op index 3 is out of range for dimension 0 of [n][?]i32, which has 3
// inputs: []; 0; [0]
// error: @array.gather@ ... 'array.gather' op index 0 is out of range for dimension 0 of [n][?]i32, which has 0
// structure: kernel.segmap 2
// versions: kernel.segmap 2
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>, %width: index, %is: !array.array<[m]index>) -> !array.array<[m][?]i32> {
  %one = arith.constant 1 : i32
  %n = array.dim %xs, 0 : [n]i32
  %rows = array.replicate %one, [%n, %width] : i32 -> [n][?]i32
  %rs = array.gather %rows[%is] : [n][?]i32, [m]index
  func.return %rs : !array.array<[m][?]i32>
}
