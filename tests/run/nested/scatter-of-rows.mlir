// run
// Rows are scattered whole: neighbours change places; where there is no neighbour, the row goes nowhere, and its place
// keeps what it had.
// inputs: [[1, 2], [3, 4], [5, 6]]; [[7, 8], [7, 8], [7, 8]]
// outputs: [[3, 4], [1, 2], [7, 8]]
// inputs: random:NxM; random:NxM where N = 0 1 31 32 33 1025; M = 0 1 5 33
// structure: kernel.scatter 1
// versions: kernel.scatter 1
func.func @main(%xss: !array.array<[n][m]i32>, %old: !array.array<[n][m]i32>) -> !array.array<[n][m]i32> {
  %n = array.dim %xss, 0 : [n][m]i32
  %one = arith.constant 1 : index
  %is = array.iota %n : [n]index
  %moved = array.scatter (%xs in %xss : [n][m]i32, %i in %is : [n]index) into (%old : [n][m]i32) {
    %at = arith.xori %i, %one : index
    array.yield %at, %xs : index, [m]i32
  }
  func.return %moved : !array.array<[n][m]i32>
}
