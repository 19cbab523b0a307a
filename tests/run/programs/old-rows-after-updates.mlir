// run
// In a map: a row updated in a loop while the old row is read, and both are used after.
// inputs: random:NxM where N = 0 1 5; M = 1 2 33
// numpy: new = xs.copy()
// numpy: n, m = xs.shape
// numpy: for i in range(m):
// numpy:     new[:, i] = new[:, i - 1] + xs[:, m - 1 - i]
// numpy: new, new - xs, (new * xs).sum(axis=1)
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 4, kernel.segred 2
func.func @main(%xs: !array.array<[n][m]i32>) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i32 = arith.constant 0 : i32
  %0 = array.dim %xs, 1 : [n][m]i32
  %16, %17, %18 = array.map (%r in %xs : [n][m]i32) {
    %10 = scf.for %i = %c0 to %0 step %c1 iter_args(%v = %r) -> (!array.array<[m]i32>) {
      %1 = arith.addi %i, %0 : index
      %2 = arith.subi %1, %c1 : index
      %3 = arith.remui %2, %0 : index
      %4 = array.index %v[%3] : [m]i32
      %5 = arith.subi %0, %c1 : index
      %6 = arith.subi %5, %i : index
      %7 = array.index %r[%6] : [m]i32
      %8 = arith.addi %4, %7 : i32
      %9 = array.update %8, %v[%i] : i32, [m]i32
      scf.yield %9 : !array.array<[m]i32>
    }
    %12 = array.map (%a in %10 : [m]i32, %b in %r : [m]i32) {
      %11 = arith.subi %a, %b : i32
      array.yield %11 : i32
    }
    %15 = array.redomap (%p in %10 : [m]i32, %q in %r : [m]i32) init (%c0_i32 : i32) map {
      %13 = arith.muli %p, %q : i32
      array.yield %13 : i32
    } combine (%p_1, %q_1) {
      %14 = arith.addi %p_1, %q_1 : i32
      array.yield %14 : i32
    }
    array.yield %10, %12, %15 : !array.array<[m]i32>, !array.array<[m]i32>, i32
  }
  func.return %16, %17, %18 : !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>
}
