// run
// Prefixes of squares and of what follows them: the joined array is not stored.
// inputs: [1, 2, 3]; [10, 20]
// outputs: [1, 5, 14, 24, 44]
// inputs: random:N; random:M where N = 0 1 33 1025; M = 0 1 31
// structure: kernel.segscan 1
// versions: kernel.segscan 1
func.func @main(%xs: !array.array<[n]i64>, %ys: !array.array<[m]i64>) -> !array.array<[?]i64> {
  %zero = arith.constant 0 : i64
  %squares = array.map (%x in %xs : [n]i64) {
    %y = arith.muli %x, %x : i64
    array.yield %y : i64
  }
  %both = array.concat %squares, %ys : [n]i64, [m]i64 -> [?]i64
  %sums = array.scan (%both : [?]i64) init (%zero : i64) combine arith.addi
  func.return %sums : !array.array<[?]i64>
}
