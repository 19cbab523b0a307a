// run
// The cheapest order of a chain of matrix products: a table filled diagonal by diagonal, a reduction per cell.
// inputs: [10, 30, 5, 60]
// inputs: random:N where N = 2 3 9
// given: the work grows with the cube of the size
// numpy: k = len(dims) - 1
// numpy: dims = dims + 1
// numpy: best = np.zeros((k, k), np.int64)
// numpy: for d in range(1, k):
// numpy:     for i in range(k - d):
// numpy:         best[i, i + d] = min(best[i, c] + best[c + 1, i + d] + dims[i] * dims[c + 1] * dims[i + d + 1] for c in range(i, i + d))
// numpy: best[0, k - 1]
// structure: kernel.segmap 3
// versions: kernel.segmap 3, kernel.segred 0
func.func @main(%dims: !array.array<[n]i64>) -> i64 {
  %c1 = arith.constant 1 : index
  %c1_i64 = arith.constant 1 : i64
  %c0_i64 = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
  %m1 = arith.constant -1 : index
  %0 = array.dim %dims, 0 : [n]i64
  %1 = arith.subi %0, %c1 : index
  %3 = array.map (%x in %dims : [n]i64) {
    %2 = arith.addi %x, %c1_i64 : i64
    array.yield %2 : i64
  }
  %4 = array.replicate %c0_i64, [%1, %1] : i64 -> [?][?]i64
  %5 = array.iota %1 : [?]index
  %6 = arith.subi %1, %c1 : index
  %37 = scf.for %d0 = %c0 to %6 step %c1 iter_args(%t = %4) -> (!array.array<[?][?]i64>) {
    %7 = arith.addi %d0, %c1 : index
    %31 = array.map (%i in %5 : [?]index) {
      %8 = arith.addi %i, %7 : index
      %9 = arith.cmpi slt, %8, %1 : index
      %30 = scf.if %9 -> (i64) {
        %10 = array.iota %7 : [?]index
        %29 = array.redomap (%c in %10 : [?]index) init (%c9223372036854775807_i64 : i64) map {
          %11 = arith.addi %i, %c : index
          %12 = array.index %t[%i, %11] : [?][?]i64
          %13 = arith.addi %i, %c : index
          %14 = arith.addi %13, %c1 : index
          %15 = arith.addi %i, %7 : index
          %16 = array.index %t[%14, %15] : [?][?]i64
          %17 = arith.addi %12, %16 : i64
          %18 = array.index %3[%i] : [n]i64
          %19 = arith.addi %i, %c : index
          %20 = arith.addi %19, %c1 : index
          %21 = array.index %3[%20] : [n]i64
          %22 = arith.muli %18, %21 : i64
          %23 = arith.addi %i, %7 : index
          %24 = arith.addi %23, %c1 : index
          %25 = array.index %3[%24] : [n]i64
          %26 = arith.muli %22, %25 : i64
          %27 = arith.addi %17, %26 : i64
          array.yield %27 : i64
        } combine (%a, %b) {
          %28 = arith.minsi %a, %b : i64
          array.yield %28 : i64
        }
        scf.yield %29 : i64
      } else {
        scf.yield %c0_i64 : i64
      }
      array.yield %30 : i64
    }
    %36 = array.scatter (%i_1 in %5 : [?]index, %x_1 in %31 : [?]i64) into (%t : [?][?]i64) {
      %32 = arith.addi %i_1, %7 : index
      %33 = arith.cmpi slt, %32, %1 : index
      %34 = arith.addi %i_1, %7 : index
      %35 = arith.select %33, %34, %m1 : index
      array.yield %i_1, %35, %x_1 : index, index, i64
    }
    scf.yield %36 : !array.array<[?][?]i64>
  }
  %38 = arith.subi %1, %c1 : index
  %39 = array.index %37[%c0, %38] : [?][?]i64
  func.return %39 : i64
}
