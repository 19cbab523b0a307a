// run
// Rows of different lengths flattened by counts: an exclusive scan, a scatter of starts, a scan of flags, values per
// row and column.
// inputs: [3, 0, 2, 0, 0, 1]
// inputs: random:N where N = 0 1 2 33
// numpy: c = counts % 5
// numpy: rows = np.repeat(np.arange(len(c), dtype=np.int32), c)
// numpy: columns = np.concatenate([np.arange(x) for x in c] + [np.zeros(0, np.int64)]).astype(np.int32)
// numpy: sums = np.zeros(len(c), np.int32)
// numpy: np.add.at(sums, rows, columns * columns)
// numpy: rows, columns, sums
// structure: kernel.seghist 2, kernel.segmap 3, kernel.segred 1, kernel.segscan 2
// versions: kernel.seghist 2, kernel.segmap 3, kernel.segred 1, kernel.segscan 2
func.func @main(%counts: !array.array<[n]i32>) -> (!array.array<[?]i32>, !array.array<[?]i32>, !array.array<[n]i32>) {
  %c5_i32 = arith.constant 5 : i32
  %c0_i32 = arith.constant 0 : i32
  %m1 = arith.constant -1 : index
  %m2147483648_i32 = arith.constant -2147483648 : i32
  %0 = array.dim %counts, 0 : [n]i32
  %1 = array.iota %0 : [n]i32
  %3 = array.map (%x in %counts : [n]i32) {
    %2 = arith.remui %x, %c5_i32 : i32
    array.yield %2 : i32
  }
  %5 = array.scan exclusive (%3 : [n]i32) init (%c0_i32 : i32) combine (%p, %q) {
    %4 = arith.addi %p, %q : i32
    array.yield %4 : i32
  }
  %7 = array.reduce (%3 : [n]i32) init (%c0_i32 : i32) combine (%p_1, %q_1) {
    %6 = arith.addi %p_1, %q_1 : i32
    array.yield %6 : i32
  }
  %8 = arith.index_cast %7 : i32 to index
  %9 = array.replicate %c0_i32, [%8] : i32 -> [?]i32
  %14 = array.hist (%s in %5 : [n]i32, %l in %3 : [n]i32, %i in %1 : [n]i32) into (%9 : [?]i32) neutral (%m2147483648_i32 : i32) map {
    %10 = arith.cmpi sgt, %l, %c0_i32 : i32
    %11 = arith.index_cast %s : i32 to index
    %12 = arith.select %10, %11, %m1 : index
    array.yield %12, %i : index, i32
  } combine (%a, %b) {
    %13 = arith.maxsi %a, %b : i32
    array.yield %13 : i32
  }
  %16 = array.scan (%14 : [?]i32) init (%c0_i32 : i32) combine (%a_1, %b_1) {
    %15 = arith.maxsi %a_1, %b_1 : i32
    array.yield %15 : i32
  }
  %17 = array.iota %8 : [?]i32
  %21 = array.map (%k in %17 : [?]i32, %r in %16 : [?]i32) {
    %18 = arith.index_cast %r : i32 to index
    %19 = array.index %5[%18] : [n]i32
    %20 = arith.subi %k, %19 : i32
    array.yield %20 : i32
  }
  %22 = array.replicate %c0_i32, [%0] : i32 -> [n]i32
  %26 = array.hist (%r_1 in %16 : [?]i32, %x_1 in %21 : [?]i32) into (%22 : [n]i32) neutral (%c0_i32 : i32) map {
    %23 = arith.index_cast %r_1 : i32 to index
    %24 = arith.muli %x_1, %x_1 : i32
    array.yield %23, %24 : index, i32
  } combine (%p_2, %q_2) {
    %25 = arith.addi %p_2, %q_2 : i32
    array.yield %25 : i32
  }
  func.return %16, %21, %26 : !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[n]i32>
}
