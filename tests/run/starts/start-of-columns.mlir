// run
// Arrays combined element by element, from an array given: column sums on top of it, running and before each row.
// With ones and ss = (10, 20): sums 10 + n, 20 + n; prefixes 10 + i + 1; exclusive 10 + i.
// inputs: [[1, 1], [1, 1], [1, 1]]; [10, 20]
// outputs: [13, 23]; [[11, 21], [12, 22], [13, 23]]; [[10, 20], [11, 21], [12, 22]]
// inputs: random:NxM; random:M where N = 0 1 5 70; M = 1 3 40
// structure: kernel.segmap 4, kernel.segred 1, kernel.segscan 2
// versions: kernel.segmap 6, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i32>, %ss: !array.array<[m]i32>) -> (!array.array<[m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>) {
  %sum = array.reduce (%xss : [n][m]i32) init (%ss : [m]i32) combine (%acc, %row) {
    %t = array.map (%a in %acc : [m]i32, %b in %row : [m]i32) arith.addi
    array.yield %t : [m]i32
  }
  %all = array.scan (%xss : [n][m]i32) init (%ss : [m]i32) combine (%acc, %row) {
    %t = array.map (%a in %acc : [m]i32, %b in %row : [m]i32) arith.addi
    array.yield %t : [m]i32
  }
  %before = array.scan exclusive (%xss : [n][m]i32) init (%ss : [m]i32) combine (%acc, %row) {
    %t = array.map (%a in %acc : [m]i32, %b in %row : [m]i32) arith.addi
    array.yield %t : [m]i32
  }
  func.return %sum, %all, %before : !array.array<[m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>
}
