// run
// Rows updated in a carried matrix, picked by computed indices, and matrices in a three-dimensional array.
// inputs: random:NxM; K where N = 1 2 7; M = 0 1 5; K = 0 1 9
// numpy: a = xs.copy()
// numpy: n = len(xs)
// numpy: c = np.stack([xs, xs + 1, xs + 2])
// numpy: for i in range(k):
// numpy:     a[(i * 3) % n] = a[(i + 1) % n][::-1] + i
// numpy:     c[i % 3] = c[(i + 1) % 3] * 2
// numpy: a, c, c[1, n - 1]
// structure: kernel.segmap 4
// shapes: 6
// versions: kernel.segmap 4
func.func @main(%xs: !array.array<[n][m]i32>, %k: i32) -> (!array.array<[n][m]i32>, !array.array<[3][n][m]i32>, !array.array<[m]i32>) {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2_i32 = arith.constant 2 : i32
  %0 = array.dim %xs, 0 : [n][m]i32
  %1 = array.dim %xs, 1 : [n][m]i32
  %2 = array.iota %c3 : [3]i32
  %6 = array.map (%d in %2 : [3]i32) {
    %5 = array.map (%r in %xs : [n][m]i32) {
      %4 = array.map (%x in %r : [m]i32) {
        %3 = arith.addi %x, %d : i32
        array.yield %3 : i32
      }
      array.yield %4 : !array.array<[m]i32>
    }
    array.yield %5 : !array.array<[n][m]i32>
  }
  %7 = arith.index_cast %k : i32 to index
  %26, %27 = scf.for %i = %c0 to %7 step %c1 iter_args(%a = %xs, %c = %6) -> (!array.array<[n][m]i32>, !array.array<[3][n][m]i32>) {
    %8 = arith.index_cast %i : index to i32
    %9 = arith.addi %i, %c1 : index
    %10 = arith.remui %9, %0 : index
    %11 = array.index %a[%10] : [n][m]i32
    %12 = array.reverse %11, 0 : [m]i32
    %14 = array.map (%x_1 in %12 : [m]i32) {
      %13 = arith.addi %x_1, %8 : i32
      array.yield %13 : i32
    }
    %15 = arith.addi %i, %c1 : index
    %16 = arith.remui %15, %c3 : index
    %17 = array.index %c[%16] : [3][n][m]i32
    %20 = array.map (%r_1 in %17 : [n][m]i32) {
      %19 = array.map (%x_2 in %r_1 : [m]i32) {
        %18 = arith.muli %x_2, %c2_i32 : i32
        array.yield %18 : i32
      }
      array.yield %19 : !array.array<[m]i32>
    }
    %21 = arith.muli %i, %c3 : index
    %22 = arith.remui %21, %0 : index
    %23 = array.update %14, %a[%22] : [m]i32, [n][m]i32
    %24 = arith.remui %i, %c3 : index
    %25 = array.update %20, %c[%24] : [n][m]i32, [3][n][m]i32
    scf.yield %23, %25 : !array.array<[n][m]i32>, !array.array<[3][n][m]i32>
  }
  %28 = arith.subi %0, %c1 : index
  %29 = array.index %27[%c1, %28] : [3][n][m]i32
  func.return %26, %27, %29 : !array.array<[n][m]i32>, !array.array<[3][n][m]i32>, !array.array<[m]i32>
}
