// run
// Sums of segments that flags start: a scan with an operator on pairs, as in flattened programs.
// inputs: [1, 2, 3, 4, 5]; [true, false, true, false, false]
// outputs: [1, 3, 3, 7, 12]
// inputs: random:N; random:N where N = 0 1 31 32 33 1023 1025
// structure: kernel.segmap 0, kernel.segscan 1
// versions: kernel.segscan 1
func.func @main(%xs: !array.array<[n]i64>, %flags: !array.array<[n]i1>) -> !array.array<[n]i64> {
  %zero = arith.constant 0 : i64
  %no = arith.constant false
  %f, %s = array.scan (%flags : [n]i1, %xs : [n]i64) init (%no : i1, %zero : i64) combine (%before, %acc, %flag, %x) {
    %any = arith.ori %before, %flag : i1
    %sum = arith.addi %acc, %x : i64
    %new = arith.select %flag, %x, %sum : i64
    array.yield %any, %new : i1, i64
  }
  func.return %s : !array.array<[n]i64>
}
