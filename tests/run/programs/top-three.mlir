// run
// The three largest of each row, by a reduction whose operator merges two sorted triples with a network.
// inputs: random:NxM where N = 0 1 5; M = 0 1 2 3 40
// numpy: rows = [sorted(list(row) + [-1, -1, -1], reverse=True)[:3] for row in xs]
// numpy: rows = np.array(rows, np.int32).reshape(-1, 3)
// numpy: rows[:, 0], rows[:, 1], rows[:, 2]
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%xs: !array.array<[n][m]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %m1_i32 = arith.constant -1 : i32
  %18, %19, %20 = array.map (%r in %xs : [n][m]i32) {
    %2 = array.map (%x in %r : [m]i32) {
      %0 = arith.subi %x, %x : i32
      %1 = arith.addi %m1_i32, %0 : i32
      array.yield %1 : i32
    }
    %5 = array.map (%x_1 in %r : [m]i32) {
      %3 = arith.subi %x_1, %x_1 : i32
      %4 = arith.addi %m1_i32, %3 : i32
      array.yield %4 : i32
    }
    %15, %16, %17 = array.reduce (%r : [m]i32, %2 : [m]i32, %5 : [m]i32) init (%m1_i32 : i32, %m1_i32 : i32, %m1_i32 : i32) combine (%a, %b, %c, %x_2, %y, %z) {
      %6 = arith.maxsi %a, %x_2 : i32
      %7 = arith.minsi %a, %x_2 : i32
      %8 = arith.maxsi %b, %y : i32
      %9 = arith.minsi %b, %y : i32
      %10 = arith.maxsi %7, %8 : i32
      %11 = arith.minsi %7, %8 : i32
      %12 = arith.maxsi %11, %9 : i32
      %13 = arith.maxsi %c, %z : i32
      %14 = arith.maxsi %12, %13 : i32
      array.yield %6, %10, %14 : i32, i32, i32
    }
    array.yield %15, %16, %17 : i32, i32, i32
  }
  func.return %18, %19, %20 : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}
