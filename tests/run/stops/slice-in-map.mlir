// run
// A part of a row that reaches outside of it stops the program, whichever row comes behind; with no row nothing is cut.
// inputs: [[1, 2, 3], [10, 20, 30]]; 2; 1
// outputs: [5, 50]
// inputs: [[1, 2, 3], [10, 20, 30]]; 4; 0
// error: :26:10: ... 'array.slice' op 4 elements from index 0 on reach outside of dimension 0 of [m]i32, which has 3
// inputs: [[1, 2, 3], [10, 20, 30]]; 1; 3
// error: :26:10: ... 'array.slice' op 1 elements from index 3 on reach outside of dimension 0 of [m]i32, which has 3
// inputs: [[1, 2, 3], [10, 20, 30]]; 1; -1
// error: :26:10: ... 'array.slice' op 1 elements from index -1 on reach outside of dimension 0 of [m]i32, which has 3
// inputs: [[1, 2, 3], [10, 20, 30]]; -1; 0
// error: :26:10: ... 'array.slice' op a size cannot be -1
// inputs: [[1, 2, 3], [10, 20, 30]]; 9223372036854775807; 1
// error: :26:10: ... 'array.slice' op 9223372036854775807 elements from index 1 on reach outside
// inputs: [[1, 2, 3], [10, 20, 30]]; 0; 77
// outputs: [0, 0]
// inputs: random:0x3; 4; 0
// outputs: []
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
// shapes: 5
func.func @main(%xss: !array.array<[n][m]i32>, %k: index, %at: index) -> !array.array<[n]i32> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %sums = array.map (%xs in %xss : [n][m]i32) {
    %p = array.slice %xs[%at] sizes [%k] strides [%one] : [m]i32 -> [?]i32
    %s = array.reduce (%p : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %sums : !array.array<[n]i32>
}
