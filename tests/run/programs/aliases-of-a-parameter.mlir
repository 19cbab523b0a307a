// run
// Updates of a parameter that is read again, returned, updated in two ways and carried through a loop without rounds.
// inputs: [5, 6, 7]; 1
// inputs: random:N; K where N = 1 2 33; K = 0 1 3
// numpy: k = int(k)
// numpy: a, b, c = xs.copy(), xs.copy(), xs.copy()
// numpy: a[0] = 100
// numpy: b[-1] = 200
// numpy: for i in range(k):
// numpy:     c[0] += c[-1]
// numpy: a, b, xs, c, xs + a, a[0] + xs[0], xs
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>, %k: i32) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, i32, !array.array<[n]i32>) {
  %c0 = arith.constant 0 : index
  %c100_i32 = arith.constant 100 : i32
  %c1 = arith.constant 1 : index
  %c200_i32 = arith.constant 200 : i32
  %0 = array.dim %xs, 0 : [n]i32
  %1 = array.update %c100_i32, %xs[%c0] : i32, [n]i32
  %2 = arith.subi %0, %c1 : index
  %3 = array.update %c200_i32, %xs[%2] : i32, [n]i32
  %4 = arith.index_cast %k : i32 to index
  %10 = scf.for %i = %c0 to %4 step %c1 iter_args(%v = %xs) -> (!array.array<[n]i32>) {
    %5 = array.index %v[%c0] : [n]i32
    %6 = arith.subi %0, %c1 : index
    %7 = array.index %v[%6] : [n]i32
    %8 = arith.addi %5, %7 : i32
    %9 = array.update %8, %v[%c0] : i32, [n]i32
    scf.yield %9 : !array.array<[n]i32>
  }
  %12 = array.map (%p in %xs : [n]i32, %q in %1 : [n]i32) {
    %11 = arith.addi %p, %q : i32
    array.yield %11 : i32
  }
  %13 = array.index %1[%c0] : [n]i32
  %14 = array.index %xs[%c0] : [n]i32
  %15 = arith.addi %13, %14 : i32
  func.return %1, %3, %xs, %10, %12, %15, %xs : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, i32, !array.array<[n]i32>
}
