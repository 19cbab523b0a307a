// run
// Few bins, as many as fit in shared memory, several ranges of them, more bins than elements.
// inputs: random:N; random:M where N = 0 1 31 32 33 1023 1025 30000; M = 0 1 100 9000
// inputs: random:100000; random:8193
// structure: kernel.seghist 1, kernel.segmap 1
// versions: kernel.seghist 1, kernel.segmap 1
func.func @main(%xs: !array.array<[n]i64>, %start: !array.array<[m]i64>) -> (!array.array<[m]i64>, !array.array<[m]i32>) {
  %m = array.dim %start, 0 : [m]i64
  %one = arith.constant 1 : index
  %least = arith.constant -9223372036854775808 : i64
  %none = arith.constant 0 : i32
  %divisor = arith.maxsi %m, %one : index
  %wide = arith.index_cast %divisor : index to i64
  %zeros = array.replicate %none, [%m] : i32 -> [m]i32
  %most, %bits = array.hist (%x in %xs : [n]i64) into (%start : [m]i64, %zeros : [m]i32) neutral (%least : i64, %none : i32) map {
    %place = arith.remui %x, %wide : i64
    %bin = arith.index_cast %place : i64 to index
    %low = arith.trunci %x : i64 to i32
    array.yield %bin, %x, %low : index, i64, i32
  } combine (%a, %i, %b, %j) {
    %s = arith.maxsi %a, %b : i64
    %k = arith.ori %i, %j : i32
    array.yield %s, %k : i64, i32
  }
  func.return %most, %bits : !array.array<[m]i64>, !array.array<[m]i32>
}
