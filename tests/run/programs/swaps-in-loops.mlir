// run
// Loops whose carried arrays change places, are carried twice, and are updated where they were read.
// inputs: random:N; random:N; K where N = 1 2 33; K = 0 1 2 5
// numpy: a, b, c = xs.copy(), ys.copy(), xs.copy()
// numpy: for i in range(k):
// numpy:     a, b, c = b, c, a.copy()
// numpy:     c[i % len(xs)] = a[0] + b[-1]
// numpy: a, b, c
// structure: none 0
// versions: none 0
func.func @main(%xs: !array.array<[n]i64>, %ys: !array.array<[n]i64>, %k: i32) -> (!array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = array.dim %xs, 0 : [n]i64
  %1 = arith.index_cast %k : i32 to index
  %8, %9, %10 = scf.for %i = %c0 to %1 step %c1 iter_args(%a = %xs, %b = %ys, %c = %xs) -> (!array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>) {
    %2 = array.index %b[%c0] : [n]i64
    %3 = arith.subi %0, %c1 : index
    %4 = array.index %c[%3] : [n]i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.remui %i, %0 : index
    %7 = array.update %5, %a[%6] : i64, [n]i64
    scf.yield %b, %c, %7 : !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>
  }
  func.return %8, %9, %10 : !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>
}
