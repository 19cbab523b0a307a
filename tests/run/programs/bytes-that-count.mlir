// run
// Iotas of bytes and shorts that wrap, and sums of them.
// inputs: N where N = 0 1 127 128 129 300 70000
// numpy: i = np.arange(n)
// numpy: i.astype(np.int8), i.astype(np.int16), i.astype(np.int8).astype(np.int64).sum(), np.bitwise_xor.reduce(i.astype(np.int16))
// structure: kernel.segmap 2, kernel.segred 2
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%n: i64) -> (!array.array<[?]i8>, !array.array<[?]i16>, i64, i16) {
  %c0_i64 = arith.constant 0 : i64
  %c0_i16 = arith.constant 0 : i16
  %0 = arith.index_cast %n : i64 to index
  %1 = array.iota %0 : [?]i8
  %2 = array.iota %0 : [?]i16
  %5 = array.redomap (%x in %1 : [?]i8) init (%c0_i64 : i64) map {
    %3 = arith.extsi %x : i8 to i64
    array.yield %3 : i64
  } combine (%p, %q) {
    %4 = arith.addi %p, %q : i64
    array.yield %4 : i64
  }
  %7 = array.reduce (%2 : [?]i16) init (%c0_i16 : i16) combine (%p_1, %q_1) {
    %6 = arith.xori %p_1, %q_1 : i16
    array.yield %6 : i16
  }
  func.return %1, %2, %5, %7 : !array.array<[?]i8>, !array.array<[?]i16>, i64, i16
}
