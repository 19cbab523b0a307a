// run
// Reductions and scans of rows, each from a number of its own: row i begins with i. With ones in n rows of m: sums i + m,
// prefixes i + j + 1, exclusive i + j, and maxima max(i, 1).
// inputs: [[1, 1, 1], [1, 1, 1], [1, 1, 1]]
// outputs: [3, 4, 5]; [[1, 2, 3], [2, 3, 4], [3, 4, 5]]; [[0, 1, 2], [1, 2, 3], [2, 3, 4]]; [1, 1, 2]
// inputs: random:NxM where N = 0 1 3 70; M = 0 1 31 33 1025
// inputs: random:3x20000
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 2
// versions: kernel.segmap 3, kernel.segred 2, kernel.segscan 4
func.func @main(%xss: !array.array<[n][m]i32>) -> (!array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>) {
  %n = array.dim %xss, 0 : [n][m]i32
  %is = array.iota %n : [n]i32
  %sums, %all, %before, %highest = array.map (%row in %xss : [n][m]i32, %i in %is : [n]i32) {
    %sum = array.reduce (%row : [m]i32) init (%i : i32) combine arith.addi
    %ps = array.scan (%row : [m]i32) init (%i : i32) combine arith.addi
    %qs = array.scan exclusive (%row : [m]i32) init (%i : i32) combine arith.addi
    %max = array.reduce (%row : [m]i32) init (%i : i32) combine arith.maxsi
    array.yield %sum, %ps, %qs, %max : i32, [m]i32, [m]i32, i32
  }
  func.return %sums, %all, %before, %highest : !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>
}
