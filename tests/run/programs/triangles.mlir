// run
// Rows of different lengths: sums, largest elements and last prefixes of the first i elements, by slices whose size
// the map's index is.
// inputs: random:NxN where N = 0 1 2 17
// numpy: n = len(xs)
// numpy: sums = np.array([xs[i, : i + 1].sum() for i in range(n)], np.int64)
// numpy: most = np.array([xs[i, i:].max() for i in range(n)], np.int64)
// numpy: steps = np.array([np.cumsum(xs[i, :i])[-1] if i else -1 for i in range(n)], np.int64)
// numpy: sums, most, steps
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2, kernel.segscan 1
func.func @main(%xs: !array.array<[n][n]i64>) -> (!array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c0_i64 = arith.constant 0 : i64
  %m1_i64 = arith.constant -1 : i64
  %0 = array.dim %xs, 0 : [n][n]i64
  %1 = array.iota %0 : [n]index
  %17, %18, %19 = array.map (%i in %1 : [n]index, %r in %xs : [n][n]i64) {
    %2 = arith.addi %i, %c1 : index
    %3 = array.slice %r[%c0] sizes [%2] strides [%c1] : [n]i64 -> [?]i64
    %4 = arith.subi %0, %i : index
    %5 = array.slice %r[%i] sizes [%4] strides [%c1] : [n]i64 -> [?]i64
    %6 = array.slice %r[%c0] sizes [%i] strides [%c1] : [n]i64 -> [?]i64
    %8 = array.reduce (%3 : [?]i64) init (%c0_i64 : i64) combine (%p, %q) {
      %7 = arith.addi %p, %q : i64
      array.yield %7 : i64
    }
    %10 = array.reduce (%5 : [?]i64) init (%m1_i64 : i64) combine (%p_1, %q_1) {
      %9 = arith.maxsi %p_1, %q_1 : i64
      array.yield %9 : i64
    }
    %12 = array.scan (%6 : [?]i64) init (%c0_i64 : i64) combine (%p_2, %q_2) {
      %11 = arith.addi %p_2, %q_2 : i64
      array.yield %11 : i64
    }
    %13 = arith.cmpi sgt, %i, %c0 : index
    %16 = scf.if %13 -> (i64) {
      %14 = arith.subi %i, %c1 : index
      %15 = array.index %12[%14] : [?]i64
      scf.yield %15 : i64
    } else {
      scf.yield %m1_i64 : i64
    }
    array.yield %8, %10, %16 : i64, i64, i64
  }
  func.return %17, %18, %19 : !array.array<[n]i64>, !array.array<[n]i64>, !array.array<[n]i64>
}
