// Inclusive prefix sum of integers.
func.func @main(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %sums = array.scan (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  func.return %sums : !array.array<[n]i32>
}
