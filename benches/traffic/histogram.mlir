// How often each number occurs: every number is read once, the bins are copied and written.
func.func @main(%xs: !array.array<[n]i32>, %start: !array.array<[m]i32>) -> !array.array<[m]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %counts = array.hist (%x in %xs : [n]i32) into (%start : [m]i32) neutral (%zero : i32) map {
    %bin = arith.index_cast %x : i32 to index
    array.yield %bin, %one : index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    array.yield %s : i32
  }
  func.return %counts : !array.array<[m]i32>
}
