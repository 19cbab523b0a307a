// run
// A program without parameters: everything it returns is known before it runs, but computed.
// inputs: 
// given: there are no parameters
// numpy: i = np.arange(10)
// numpy: i * i, (i * i).sum(), np.cumsum(i)[::-1], np.bincount(i % 3, minlength=4)
// structure: kernel.seghist 1, kernel.segmap 2, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 1, kernel.segmap 2, kernel.segred 1, kernel.segscan 1
func.func @main() -> (!array.array<[10]i64>, i64, !array.array<[10]i64>, !array.array<[4]i64>) {
  %c10 = arith.constant 10 : index
  %c0_i64 = arith.constant 0 : i64
  %c4 = arith.constant 4 : index
  %c3_i64 = arith.constant 3 : i64
  %c1_i64 = arith.constant 1 : i64
  %0 = array.iota %c10 : [10]i64
  %2 = array.map (%p in %0 : [10]i64, %q in %0 : [10]i64) {
    %1 = arith.muli %p, %q : i64
    array.yield %1 : i64
  }
  %3 = array.replicate %c0_i64, [%c4] : i64 -> [4]i64
  %7 = array.hist (%x in %0 : [10]i64) into (%3 : [4]i64) neutral (%c0_i64 : i64) map {
    %4 = arith.remui %x, %c3_i64 : i64
    %5 = arith.index_cast %4 : i64 to index
    array.yield %5, %c1_i64 : index, i64
  } combine (%p_1, %q_1) {
    %6 = arith.addi %p_1, %q_1 : i64
    array.yield %6 : i64
  }
  %9 = array.reduce (%2 : [10]i64) init (%c0_i64 : i64) combine (%p_2, %q_2) {
    %8 = arith.addi %p_2, %q_2 : i64
    array.yield %8 : i64
  }
  %11 = array.scan (%0 : [10]i64) init (%c0_i64 : i64) combine (%p_3, %q_3) {
    %10 = arith.addi %p_3, %q_3 : i64
    array.yield %10 : i64
  }
  %12 = array.reverse %11, 0 : [10]i64
  func.return %2, %9, %12, %7 : !array.array<[10]i64>, i64, !array.array<[10]i64>, !array.array<[4]i64>
}
