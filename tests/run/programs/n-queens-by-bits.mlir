// run
// How many ways to put queens on small boards: a search with an explicit stack in an array, in a while loop per
// board.
// inputs: [1, 2, 3, 4, 5, 6]
// inputs: random:N where N = 0 1 7
// numpy: def queens(n):
// numpy:     n = n % 6 + 1
// numpy:     def place(row, cols, d1, d2):
// numpy:         if row == n:
// numpy:             return 1
// numpy:         return sum(place(row + 1, cols | 1 << c, d1 | 1 << row + c, d2 | 1 << row - c + n) for c in range(n)
// numpy:             if not (cols >> c & 1 or d1 >> row + c & 1 or d2 >> row - c + n & 1))
// numpy:     return place(0, 0, 0, 0)
// numpy: np.array([queens(int(n)) for n in sizes], np.int32)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%sizes: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %c6_i32 = arith.constant 6 : i32
  %c1_i32 = arith.constant 1 : i32
  %m1_i32 = arith.constant -1 : i32
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %c0_i32 = arith.constant 0 : i32
  %true = arith.constant true
  %c1 = arith.constant 1 : index
  %40 = array.map (%size in %sizes : [n]i32) {
    %0 = arith.remui %size, %c6_i32 : i32
    %1 = arith.addi %0, %c1_i32 : i32
    %2 = array.replicate %m1_i32, [%c8] : i32 -> [8]i32
    %37, %38, %39 = scf.while (%stack = %2, %row = %c0, %count = %c0_i32) : (!array.array<[8]i32>, index, i32) -> (!array.array<[8]i32>, index, i32) {
      %3 = arith.cmpi sge, %row, %c0 : index
      scf.condition(%3) %stack, %row, %count : !array.array<[8]i32>, index, i32
    } do {
    ^bb0(%stack_1: !array.array<[8]i32>, %row_1: index, %count_1: i32):
      %4 = array.index %stack_1[%row_1] : [8]i32
      %5 = arith.addi %4, %c1_i32 : i32
      %6 = arith.cmpi slt, %5, %1 : i32
      %34, %35, %36 = scf.if %6 -> (!array.array<[8]i32>, index, i32) {
        %7 = array.update %5, %stack_1[%row_1] : i32, [8]i32
        %19 = scf.for %r = %c0 to %row_1 step %c1 iter_args(%good = %true) -> (i1) {
          %8 = array.index %7[%r] : [8]i32
          %9 = arith.subi %row_1, %r : index
          %10 = arith.index_cast %9 : index to i32
          %11 = arith.cmpi ne, %8, %5 : i32
          %12 = arith.andi %good, %11 : i1
          %13 = arith.addi %8, %10 : i32
          %14 = arith.cmpi ne, %13, %5 : i32
          %15 = arith.andi %12, %14 : i1
          %16 = arith.subi %8, %10 : i32
          %17 = arith.cmpi ne, %16, %5 : i32
          %18 = arith.andi %15, %17 : i1
          scf.yield %18 : i1
        }
        %20 = arith.addi %row_1, %c1 : index
        %21 = arith.index_cast %1 : i32 to index
        %22 = arith.cmpi eq, %20, %21 : index
        %23 = arith.andi %19, %22 : i1
        %24 = arith.xori %22, %true : i1
        %25 = arith.andi %19, %24 : i1
        %26 = arith.addi %row_1, %c1 : index
        %27 = arith.select %25, %26, %row_1 : index
        %30 = scf.if %25 -> (!array.array<[8]i32>) {
          %28 = arith.addi %row_1, %c1 : index
          %29 = array.update %m1_i32, %7[%28] : i32, [8]i32
          scf.yield %29 : !array.array<[8]i32>
        } else {
          scf.yield %7 : !array.array<[8]i32>
        }
        %31 = arith.extui %23 : i1 to i32
        %32 = arith.addi %count_1, %31 : i32
        scf.yield %30, %27, %32 : !array.array<[8]i32>, index, i32
      } else {
        %33 = arith.subi %row_1, %c1 : index
        scf.yield %stack_1, %33, %count_1 : !array.array<[8]i32>, index, i32
      }
      scf.yield %34, %35, %36 : !array.array<[8]i32>, index, i32
    }
    array.yield %39 : i32
  }
  func.return %40 : !array.array<[n]i32>
}
