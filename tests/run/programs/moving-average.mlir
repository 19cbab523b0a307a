// run
// Sums over a sliding window from prefix sums: a scan, and a map of what lies a window apart.
// inputs: [1, 2, 3, 4, 5]; 3
// outputs: [1, 3, 6, 9, 12]
// inputs: random:N; 4 where N = 0 1 31 32 33 1023 1025
// structure: kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i64>, %window: index) -> !array.array<[n]i64> {
  %zero = arith.constant 0 : i64
  %n = array.dim %xs, 0 : [n]i64
  %is = array.iota %n : [n]index
  %sums = array.scan (%xs : [n]i64) init (%zero : i64) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i64
    array.yield %s : i64
  }
  %ys = array.map (%s in %sums : [n]i64, %i in %is : [n]index) {
    %late = arith.cmpi uge, %i, %window : index
    %before = scf.if %late -> (i64) {
      %at = arith.subi %i, %window : index
      %b = array.index %sums[%at] : [n]i64
      scf.yield %b : i64
    } else {
      scf.yield %zero : i64
    }
    %y = arith.subi %s, %before : i64
    array.yield %y : i64
  }
  func.return %ys : !array.array<[n]i64>
}
