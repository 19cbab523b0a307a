// run
// Parts of a matrix, in every direction: no product or sum of offset, size and stride wraps into the array.
// inputs: [[1, 2, 3], [4, 5, 6]]; 0; 2; 1
// outputs: [[1, 3], [4, 6]]
// inputs: [[1, 2, 3], [4, 5, 6]]; 2; 3; -1
// outputs: [[3, 3, 3], [6, 6, 6]]
// inputs: [[1, 2, 3], [4, 5, 6]]; 2; 2; 0
// error: :21:8: ... 'array.slice' op 2 elements from index 2 on reach outside of dimension 1 of [n][m]i32, which has 3
// inputs: [[1, 2, 3], [4, 5, 6]]; 2; 2; -9223372036854775808
// error: :21:8: ... 'array.slice' op 2 elements from index 2 on reach outside of dimension 1 of [n][m]i32, which has 3
// inputs: [[1, 2, 3], [4, 5, 6]]; 1; 3; 9223372036854775807
// error: :21:8: ... 'array.slice' op 3 elements from index 1 on reach outside of dimension 1 of [n][m]i32, which has 3
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 5
func.func @main(%xs: !array.array<[n][m]i32>, %at: index, %k: index, %more: index) -> !array.array<[n][?]i32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = array.dim %xs, 0 : [n][m]i32
  %stride = arith.addi %more, %one : index
  %r = array.slice %xs[%zero, %at] sizes [%n, %k] strides [%one, %stride] : [n][m]i32 -> [n][?]i32
  func.return %r : !array.array<[n][?]i32>
}
