// run
// A segmented scan: prefix sums of every row.
// inputs: [[1, 2, 3], [4, 5, 6]]
// outputs: [[1, 3, 6], [4, 9, 15]]
// inputs: random:NxM where N = 0 1 7 70; M = 0 1 33 256 300
// structure: kernel.segscan 1
// versions: kernel.segmap 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i64>) -> !array.array<[n][m]i64> {
  %zero = arith.constant 0 : i64
  %yss = array.map (%row in %xss : [n][m]i64) {
    %ys = array.scan (%row : [m]i64) init (%zero : i64) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i64
      array.yield %s : i64
    }
    array.yield %ys : !array.array<[m]i64>
  }
  func.return %yss : !array.array<[n][m]i64>
}
