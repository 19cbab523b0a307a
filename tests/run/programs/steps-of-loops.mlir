// run
// Counted loops with other starts and steps, also such that no round is left, and loops that count down by while.
// inputs: N; [5, 1, 4] where N = 0 1 2 3 10 31
// inputs: 9; []
// numpy: a = sum(i * i for i in range(2, n, 3))
// numpy: b = 0
// numpy: i = n
// numpy: while i > 0:
// numpy:     b += i
// numpy:     i -= 2
// numpy: c = np.array([sum(range(int(x) % 5, n, int(x) % 3 + 1)) for x in xs], np.int64)
// numpy: a, b, c
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%n: i64, %xs: !array.array<[m]i64>) -> (i64, i64, !array.array<[m]i64>) {
  %c0_i64 = arith.constant 0 : i64
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c2_i64 = arith.constant 2 : i64
  %c5_i64 = arith.constant 5 : i64
  %c3_i64 = arith.constant 3 : i64
  %c1_i64 = arith.constant 1 : i64
  %0 = arith.index_cast %n : i64 to index
  %4 = scf.for %i = %c2 to %0 step %c3 iter_args(%s = %c0_i64) -> (i64) {
    %1 = arith.muli %i, %i : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.addi %s, %2 : i64
    scf.yield %3 : i64
  }
  %8, %9 = scf.while (%i_1 = %n, %b = %c0_i64) : (i64, i64) -> (i64, i64) {
    %5 = arith.cmpi sgt, %i_1, %c0_i64 : i64
    scf.condition(%5) %i_1, %b : i64, i64
  } do {
  ^bb0(%i_2: i64, %b_1: i64):
    %6 = arith.subi %i_2, %c2_i64 : i64
    %7 = arith.addi %b_1, %i_2 : i64
    scf.yield %6, %7 : i64, i64
  }
  %18 = array.map (%x in %xs : [m]i64) {
    %10 = arith.remui %x, %c5_i64 : i64
    %11 = arith.index_cast %10 : i64 to index
    %12 = arith.remui %x, %c3_i64 : i64
    %13 = arith.addi %12, %c1_i64 : i64
    %14 = arith.index_cast %13 : i64 to index
    %17 = scf.for %i_3 = %11 to %0 step %14 iter_args(%s_1 = %c0_i64) -> (i64) {
      %15 = arith.index_cast %i_3 : index to i64
      %16 = arith.addi %s_1, %15 : i64
      scf.yield %16 : i64
    }
    array.yield %17 : i64
  }
  func.return %4, %9, %18 : i64, i64, !array.array<[m]i64>
}
