// run
// A reduction whose map is itself a reduction: the sum of the squares of the sums of rows, beside those sums.
// inputs: [[1, 2], [3, 4]]
// outputs: 58; [3, 7]
// inputs: random:NxM where N = 0 1 31 33 1025; M = 0 1 9
// structure: kernel.segmap 1, kernel.segred 2
// versions: kernel.segmap 3, kernel.segred 3
func.func @main(%xss: !array.array<[n][m]i64>) -> (i64, !array.array<[n]i64>) {
  %zero = arith.constant 0 : i64
  %total, %sums = array.redomap (%xs in %xss : [n][m]i64) init (%zero : i64) map {
    %sum = array.reduce (%xs : [m]i64) init (%zero : i64) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i64
      array.yield %s : i64
    }
    %square = arith.muli %sum, %sum : i64
    array.yield %square, %sum : i64, i64
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i64
    array.yield %s : i64
  }
  func.return %total, %sums : i64, !array.array<[n]i64>
}
