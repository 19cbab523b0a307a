// run
// Primes below a number by scatters of multiples, and the gaps between them by a filter and a shifted slice.
// inputs: N where N = 2 3 10 100 997
// numpy: primes = [p for p in range(2, limit) if all(p % q for q in range(2, int(p ** 0.5) + 1))]
// numpy: np.array(primes, np.int64), np.diff(np.array(primes, np.int64)) if len(primes) > 1 else np.zeros(0, np.int64)
// structure: kernel.segmap 2, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segscan 1
func.func @main(%limit: i64) -> (!array.array<[k]i64>, !array.array<[?]i64>) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = arith.index_cast %limit : i64 to index
  %1 = array.replicate %true, [%0] : i1 -> [?]i1
  %2 = array.update %false, %1[%c0] : i1, [?]i1
  %3 = array.update %false, %2[%c1] : i1, [?]i1
  %17, %18 = scf.while (%p = %c2, %f = %3) : (index, !array.array<[?]i1>) -> (index, !array.array<[?]i1>) {
    %4 = arith.muli %p, %p : index
    %5 = arith.cmpi slt, %4, %0 : index
    scf.condition(%5) %p, %f : index, !array.array<[?]i1>
  } do {
  ^bb0(%p_1: index, %f_1: !array.array<[?]i1>):
    %6 = array.index %f_1[%p_1] : [?]i1
    %15 = scf.if %6 -> (!array.array<[?]i1>) {
      %7 = arith.subi %0, %c1 : index
      %8 = arith.divsi %7, %p_1 : index
      %9 = arith.subi %8, %c1 : index
      %10 = arith.maxsi %9, %c0 : index
      %11 = array.iota %10 : [?]index
      %14 = array.scatter (%i in %11 : [?]index) into (%f_1 : [?]i1) {
        %12 = arith.addi %i, %c2 : index
        %13 = arith.muli %12, %p_1 : index
        array.yield %13, %false : index, i1
      }
      scf.yield %14 : !array.array<[?]i1>
    } else {
      scf.yield %f_1 : !array.array<[?]i1>
    }
    %16 = arith.addi %p_1, %c1 : index
    scf.yield %16, %15 : index, !array.array<[?]i1>
  }
  %19 = array.iota %0 : [?]i64
  %20, %21 = array.filter (%i_1 in %19 : [?]i64, %b in %18 : [?]i1) -> [k] {
    array.yield %b : i1
  }
  %22 = array.dim %20, 0 : [k]i64
  %23 = arith.subi %22, %c1 : index
  %24 = arith.maxsi %23, %c0 : index
  %25 = array.slice %20[%c0] sizes [%24] strides [%c1] : [k]i64 -> [?]i64
  %26 = arith.minsi %c1, %22 : index
  %27 = array.slice %20[%26] sizes [%24] strides [%c1] : [k]i64 -> [?]i64
  %29 = array.map (%a in %25 : [?]i64, %b_1 in %27 : [?]i64) {
    %28 = arith.subi %b_1, %a : i64
    array.yield %28 : i64
  }
  func.return %20, %29 : !array.array<[k]i64>, !array.array<[?]i64>
}
