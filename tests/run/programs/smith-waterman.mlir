// run
// The Smith-Waterman score of two strings, by antidiagonals that a loop carries.
// inputs: [1, 2, 3, 4, 5]; [2, 3, 9, 4]
// inputs: random:N; random:M where N = 0 1 7 20; M = 0 1 31
// given: the work grows with the cube of the size
// numpy: a, b = a % 4, b % 4
// numpy: h = np.zeros((len(a) + 1, len(b) + 1), np.int64)
// numpy: for i in range(len(a)):
// numpy:     for j in range(len(b)):
// numpy:         s = 3 if a[i] == b[j] else -1
// numpy:         h[i + 1, j + 1] = max(0, h[i, j] + s, h[i, j + 1] - 2, h[i + 1, j] - 2)
// numpy: h.max()
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 1, kernel.segred 1
func.func @main(%a: !array.array<[n]i8>, %b: !array.array<[m]i8>) -> i64 {
  %c1 = arith.constant 1 : index
  %c0_i64 = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3_i8 = arith.constant 3 : i8
  %c3_i64 = arith.constant 3 : i64
  %m1_i64 = arith.constant -1 : i64
  %c2_i64 = arith.constant 2 : i64
  %0 = array.dim %a, 0 : [n]i8
  %1 = array.dim %b, 0 : [m]i8
  %2 = arith.addi %0, %c1 : index
  %3 = array.iota %2 : [?]index
  %4 = array.replicate %c0_i64, [%2] : i64 -> [?]i64
  %5 = arith.addi %0, %1 : index
  %37, %38, %39 = scf.for %d = %c0 to %5 step %c1 iter_args(%two = %4, %one = %4, %best = %c0_i64) -> (!array.array<[?]i64>, !array.array<[?]i64>, i64) {
    %33 = array.map (%i in %3 : [?]index) {
      %6 = arith.addi %d, %c2 : index
      %7 = arith.subi %6, %i : index
      %8 = arith.cmpi sge, %i, %c1 : index
      %9 = arith.cmpi sge, %7, %c1 : index
      %10 = arith.andi %8, %9 : i1
      %11 = arith.cmpi sle, %7, %1 : index
      %12 = arith.andi %10, %11 : i1
      %32 = scf.if %12 -> (i64) {
        %13 = arith.subi %i, %c1 : index
        %14 = array.index %a[%13] : [n]i8
        %15 = arith.subi %7, %c1 : index
        %16 = array.index %b[%15] : [m]i8
        %17 = arith.andi %14, %c3_i8 : i8
        %18 = arith.andi %16, %c3_i8 : i8
        %19 = arith.cmpi eq, %17, %18 : i8
        %20 = arith.select %19, %c3_i64, %m1_i64 : i64
        %21 = arith.subi %i, %c1 : index
        %22 = array.index %two[%21] : [?]i64
        %23 = arith.addi %22, %20 : i64
        %24 = arith.maxsi %c0_i64, %23 : i64
        %25 = arith.subi %i, %c1 : index
        %26 = array.index %one[%25] : [?]i64
        %27 = arith.subi %26, %c2_i64 : i64
        %28 = array.index %one[%i] : [?]i64
        %29 = arith.subi %28, %c2_i64 : i64
        %30 = arith.maxsi %27, %29 : i64
        %31 = arith.maxsi %24, %30 : i64
        scf.yield %31 : i64
      } else {
        scf.yield %c0_i64 : i64
      }
      array.yield %32 : i64
    }
    %35 = array.reduce (%33 : [?]i64) init (%c0_i64 : i64) combine (%p, %q) {
      %34 = arith.maxsi %p, %q : i64
      array.yield %34 : i64
    }
    %36 = arith.maxsi %best, %35 : i64
    scf.yield %one, %33, %36 : !array.array<[?]i64>, !array.array<[?]i64>, i64
  }
  func.return %39 : i64
}
