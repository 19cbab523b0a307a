// run
// A histogram of sums of rows, the sums computed in the histogram's own map; what leaves the bins is not counted.
// inputs: [[1, 0], [1, 1], [0, 1], [9, 9]]
// outputs: [0, 2, 1]
// inputs: random:NxM where N = 0 1 31 33 1025; M = 0 1 9
// structure: kernel.seghist 1, kernel.segmap 2, kernel.segred 1
// versions: kernel.seghist 1, kernel.segmap 4, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[3]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : index
  %bins = array.replicate %zero, [%three] : i32 -> [3]i32
  %counts = array.hist (%xs in %xss : [n][m]i32) into (%bins : [3]i32) neutral (%zero : i32) map {
    %sum = array.reduce (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    %bin = arith.index_cast %sum : i32 to index
    array.yield %bin, %one : index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    array.yield %s : i32
  }
  func.return %counts : !array.array<[3]i32>
}
