// run
// Where each row's elements would start if as many were written as its sum says: a scan of reductions.
// inputs: [[1, 2], [3, 4], [5, 6]]
// outputs: [0, 3, 10]; 21
// inputs: random:NxM where N = 0 1 31 33 1025; M = 0 1 17
// structure: kernel.segred 2, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segred 3, kernel.segscan 1
func.func @main(%xss: !array.array<[n][m]i32>) -> (!array.array<[n]i32>, i32) {
  %zero = arith.constant 0 : i32
  %sums = array.map (%xs in %xss : [n][m]i32) {
    %sum = array.reduce (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    array.yield %sum : i32
  }
  %offsets = array.scan exclusive (%sums : [n]i32) init (%zero : i32) combine (%acc, %s) {
    %t = arith.addi %acc, %s : i32
    array.yield %t : i32
  }
  %total = array.reduce (%sums : [n]i32) init (%zero : i32) combine (%acc, %s) {
    %t = arith.addi %acc, %s : i32
    array.yield %t : i32
  }
  func.return %offsets, %total : !array.array<[n]i32>, i32
}
