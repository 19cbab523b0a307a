// run
// The same array as several inputs and destinations, and the same value as several results.
// inputs: random:N where N = 0 1 2 33 300
// numpy: n = len(xs)
// numpy: h, t = xs.copy(), xs.copy()
// numpy: for x in xs:
// numpy:     if x % 5 < n:
// numpy:         h[x % 5] += x
// numpy: t[: (n + 1) // 2] = xs[::2]
// numpy: xs + xs, xs + xs, xs * xs + xs, h, h, t, t, np.cumsum(xs), np.cumsum(xs)
// structure: kernel.seghist 1, kernel.segscan 1
// versions: kernel.seghist 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i64>) -> (!array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>) {
  %c5_i64 = arith.constant 5 : i64
  %c0_i64 = arith.constant 0 : i64
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : index
  %0 = array.dim %xs, 0 : [n]i64
  %1 = array.iota %0 : [n]index
  %4, %5 = array.map (%x in %xs : [n]i64, %y in %xs : [n]i64) {
    %2 = arith.addi %x, %y : i64
    %3 = arith.addi %x, %y : i64
    array.yield %2, %3 : i64, i64
  }
  %8 = array.map (%x_1 in %xs : [n]i64, %y_1 in %xs : [n]i64, %z in %xs : [n]i64) {
    %6 = arith.muli %x_1, %y_1 : i64
    %7 = arith.addi %6, %z : i64
    array.yield %7 : i64
  }
  %13, %14 = array.hist (%x_2 in %xs : [n]i64, %y_2 in %xs : [n]i64) into (%xs : [n]i64, %xs : [n]i64) neutral (%c0_i64 : i64, %c0_i64 : i64) map {
    %9 = arith.remui %x_2, %c5_i64 : i64
    %10 = arith.index_cast %9 : i64 to index
    array.yield %10, %x_2, %y_2 : index, i64, i64
  } combine (%p, %q, %r, %s) {
    %11 = arith.addi %p, %r : i64
    %12 = arith.addi %q, %s : i64
    array.yield %11, %12 : i64, i64
  }
  %19, %20 = array.scatter (%i in %1 : [n]index, %x_3 in %xs : [n]i64, %y_3 in %xs : [n]i64) into (%xs : [n]i64, %xs : [n]i64) {
    %15 = arith.remui %i, %c2 : index
    %16 = arith.cmpi eq, %15, %c1 : index
    %17 = arith.divui %i, %c2 : index
    %18 = arith.select %16, %m1, %17 : index
    array.yield %18, %x_3, %y_3 : index, i64, i64
  }
  %23, %24 = array.scan (%xs : [n]i64, %xs : [n]i64) init (%c0_i64 : i64, %c0_i64 : i64) combine (%a, %b, %c, %d) {
    %21 = arith.addi %a, %c : i64
    %22 = arith.addi %b, %d : i64
    array.yield %21, %22 : i64, i64
  }
  func.return %4, %5, %8, %13, %14, %19, %20, %23, %24 : !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>
}
