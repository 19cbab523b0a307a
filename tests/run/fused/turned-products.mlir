// run
// Sums of the columns of an outer product: the transposed product is the product of transposed levels, and not stored.
// inputs: [1, 2, 3]; [10, 20]
// outputs: [60, 120]
// inputs: random:N; random:M where N = 0 1 33 257; M = 0 1 31
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>) -> !array.array<[m]i32> {
  %zero = arith.constant 0 : i32
  %products = array.map (%x in %xs : [n]i32) {
    %row = array.map (%y in %ys : [m]i32) {
      %p = arith.muli %x, %y : i32
      array.yield %p : i32
    }
    array.yield %row : [m]i32
  }
  %columns = array.rearrange %products, [1, 0] : [n][m]i32
  %sums = array.map (%column in %columns : [m][n]i32) {
    %s = array.reduce (%column : [n]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %sums : !array.array<[m]i32>
}
