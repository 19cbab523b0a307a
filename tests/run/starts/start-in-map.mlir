// run
// Sums of rows from 42, in every version: 42 + j + ... for row sums 6, 0 and 15.
// inputs: [[1, 2, 3], [0, 0, 0], [4, 5, 6]]
// outputs: [48, 42, 57]
// inputs: random:NxM where N = 0 1 3 70; M = 0 1 40 1025
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n]i32> {
  %k = arith.constant 42 : i32
  %r = array.map (%row in %xss : [n][m]i32) {
    %s = array.reduce (%row : [m]i32) init (%k : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
