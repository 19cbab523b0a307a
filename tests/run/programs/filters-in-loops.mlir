// run
// Filters inside of loops and branches at the top level: a sieve by trial, and quickselect.
// inputs: random:N; K where N = 1 2 33 200; K = 0 1 32
// numpy: ys = np.unique(xs)
// numpy: k = min(int(k), len(xs) - 1)
// numpy: np.sort(xs)[k], len(xs)
// shapes: 6
// structure: kernel.segmap 0, kernel.segred 1, kernel.segscan 2
// versions: kernel.segmap 0, kernel.segred 1, kernel.segscan 2
func.func @main(%xs: !array.array<[n]i32>, %k: i32) -> (i32, i64) {
  %c1 = arith.constant 1 : index
  %c0_i32 = arith.constant 0 : i32
  %true = arith.constant true
  %c2 = arith.constant 2 : index
  %false = arith.constant false
  %0 = array.dim %xs, 0 : [n]i32
  %1 = arith.subi %0, %c1 : index
  %2 = arith.index_cast %1 : index to i32
  %3 = arith.minsi %k, %2 : i32
  %4 = array.cast %xs : [n]i32 -> [?]i32
  %33, %34, %35, %36 = scf.while (%a = %4, %k_1 = %3, %found = %c0_i32, %go = %true) : (!array.array<[?]i32>, i32, i32, i1) -> (!array.array<[?]i32>, i32, i32, i1) {
    scf.condition(%go) %a, %k_1, %found, %go : !array.array<[?]i32>, i32, i32, i1
  } do {
  ^bb0(%a_1: !array.array<[?]i32>, %k_2: i32, %found_1: i32, %go_1: i1):
    %5 = array.dim %a_1, 0 : [?]i32
    %6 = arith.divui %5, %c2 : index
    %7 = array.index %a_1[%6] : [?]i32
    %9 = array.filter (%x in %a_1 : [?]i32) -> [l] {
      %8 = arith.cmpi slt, %x, %7 : i32
      array.yield %8 : i1
    }
    %13 = array.redomap (%x_1 in %a_1 : [?]i32) init (%c0_i32 : i32) map {
      %10 = arith.cmpi eq, %x_1, %7 : i32
      %11 = arith.extui %10 : i1 to i32
      array.yield %11 : i32
    } combine (%p, %q) {
      %12 = arith.addi %p, %q : i32
      array.yield %12 : i32
    }
    %15 = array.filter (%x_2 in %a_1 : [?]i32) -> [h] {
      %14 = arith.cmpi sgt, %x_2, %7 : i32
      array.yield %14 : i1
    }
    %16 = array.dim %9, 0 : [l]i32
    %17 = arith.index_cast %16 : index to i32
    %18 = arith.cmpi slt, %k_2, %17 : i32
    %29, %30, %31, %32 = scf.if %18 -> (!array.array<[?]i32>, i32, i32, i1) {
      %19 = array.cast %9 : [l]i32 -> [?]i32
      scf.yield %19, %k_2, %7, %true : !array.array<[?]i32>, i32, i32, i1
    } else {
      %20 = arith.addi %17, %13 : i32
      %21 = arith.cmpi slt, %k_2, %20 : i32
      %25, %26, %27, %28 = scf.if %21 -> (!array.array<[?]i32>, i32, i32, i1) {
        scf.yield %a_1, %k_2, %7, %false : !array.array<[?]i32>, i32, i32, i1
      } else {
        %22 = array.cast %15 : [h]i32 -> [?]i32
        %23 = arith.subi %k_2, %17 : i32
        %24 = arith.subi %23, %13 : i32
        scf.yield %22, %24, %7, %true : !array.array<[?]i32>, i32, i32, i1
      }
      scf.yield %25, %26, %27, %28 : !array.array<[?]i32>, i32, i32, i1
    }
    scf.yield %29, %30, %31, %32 : !array.array<[?]i32>, i32, i32, i1
  }
  %37 = arith.index_cast %0 : index to i64
  func.return %35, %37 : i32, i64
}
