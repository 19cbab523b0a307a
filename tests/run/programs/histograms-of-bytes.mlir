// run
// Histograms whose destinations share words: bytes, 16 bits and bits, by wrapping sums, largest and exclusive or.
// inputs: random:N; random:N; random:N; random:N where N = 0 1 2 33 1000
// numpy: k = keys % 5
// numpy: a, b, c, d = np.zeros(5, np.int8), np.zeros(5, bool), np.full(5, -7, np.int16), np.zeros(5, np.int8)
// numpy: np.add.at(a, k, xs)
// numpy: np.logical_xor.at(b, k, flags)
// numpy: np.maximum.at(c, k, ys - 50)
// numpy: d[k] = 1
// numpy: a, b, c, d
// structure: kernel.seghist 1, kernel.segmap 3
// versions: kernel.seghist 1, kernel.segmap 3
func.func @main(%keys: !array.array<[n]i32>, %xs: !array.array<[n]i8>, %flags: !array.array<[n]i1>, %ys: !array.array<[n]i16>) -> (!array.array<[5]i8>, !array.array<[5]i1>, !array.array<[5]i16>, !array.array<[5]i8>) {
  %c5_i32 = arith.constant 5 : i32
  %c0_i8 = arith.constant 0 : i8
  %c5 = arith.constant 5 : index
  %false = arith.constant false
  %m7_i16 = arith.constant -7 : i16
  %c50_i16 = arith.constant 50 : i16
  %m32768_i16 = arith.constant -32768 : i16
  %c1_i8 = arith.constant 1 : i8
  %2 = array.map (%x in %keys : [n]i32) {
    %0 = arith.remui %x, %c5_i32 : i32
    %1 = arith.index_cast %0 : i32 to index
    array.yield %1 : index
  }
  %3 = array.replicate %c0_i8, [%c5] : i8 -> [5]i8
  %5 = array.hist (%i in %2 : [n]index, %x_1 in %xs : [n]i8) into (%3 : [5]i8) neutral (%c0_i8 : i8) map {
    array.yield %i, %x_1 : index, i8
  } combine (%p, %q) {
    %4 = arith.addi %p, %q : i8
    array.yield %4 : i8
  }
  %6 = array.replicate %false, [%c5] : i1 -> [5]i1
  %8 = array.hist (%i_1 in %2 : [n]index, %x_2 in %flags : [n]i1) into (%6 : [5]i1) neutral (%false : i1) map {
    array.yield %i_1, %x_2 : index, i1
  } combine (%p_1, %q_1) {
    %7 = arith.xori %p_1, %q_1 : i1
    array.yield %7 : i1
  }
  %9 = array.replicate %m7_i16, [%c5] : i16 -> [5]i16
  %12 = array.hist (%i_2 in %2 : [n]index, %x_3 in %ys : [n]i16) into (%9 : [5]i16) neutral (%m32768_i16 : i16) map {
    %10 = arith.subi %x_3, %c50_i16 : i16
    array.yield %i_2, %10 : index, i16
  } combine (%p_2, %q_2) {
    %11 = arith.maxsi %p_2, %q_2 : i16
    array.yield %11 : i16
  }
  %13 = array.replicate %c0_i8, [%c5] : i8 -> [5]i8
  %14 = array.scatter (%i_3 in %2 : [n]index) into (%13 : [5]i8) {
    array.yield %i_3, %c1_i8 : index, i8
  }
  func.return %5, %8, %12, %14 : !array.array<[5]i8>, !array.array<[5]i1>, !array.array<[5]i16>, !array.array<[5]i8>
}
