// run
// A histogram per row of a histogram per key, with three indices; and a scatter by three.
// inputs: random:NxM where N = 0 1 4; M = 0 1 33
// numpy: n, m = xs.shape
// numpy: h = np.zeros((n, 3, 4), np.int32)
// numpy: g = np.zeros((2, 3, 4), np.int32)
// numpy: t = np.zeros((2, 3, 4), np.int32)
// numpy: for i in range(n):
// numpy:     for x in xs[i]:
// numpy:         h[i, x % 3, x % 4] += x
// numpy:         g[x % 2, x % 3, x % 4] += 1
// numpy:         t[x % 2, x % 3, x % 4] = 7
// numpy: h, g, t, h.max(axis=(1, 2), initial=0)
// structure: kernel.seghist 2, kernel.segmap 3, kernel.segred 1
// versions: kernel.seghist 3, kernel.segmap 7, kernel.segred 5
func.func @main(%xs: !array.array<[n][m]i32>) -> (!array.array<[n][3][4]i32>, !array.array<[2][3][4]i32>, !array.array<[2][3][4]i32>, !array.array<[n]i32>) {
  %c0_i32 = arith.constant 0 : i32
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c3_i32 = arith.constant 3 : i32
  %c4_i32 = arith.constant 4 : i32
  %c2_i32 = arith.constant 2 : i32
  %c1_i32 = arith.constant 1 : i32
  %c7_i32 = arith.constant 7 : i32
  %0 = array.dim %xs, 0 : [n][m]i32
  %1 = array.dim %xs, 1 : [n][m]i32
  %2 = array.replicate %c0_i32, [%c3, %c4] : i32 -> [3][4]i32
  %3 = array.replicate %c0_i32, [%c2, %c3, %c4] : i32 -> [2][3][4]i32
  %10 = array.map (%r in %xs : [n][m]i32) {
    %9 = array.hist (%x in %r : [m]i32) into (%2 : [3][4]i32) neutral (%c0_i32 : i32) map {
      %4 = arith.remui %x, %c3_i32 : i32
      %5 = arith.index_cast %4 : i32 to index
      %6 = arith.remui %x, %c4_i32 : i32
      %7 = arith.index_cast %6 : i32 to index
      array.yield %5, %7, %x : index, index, i32
    } combine (%p, %q) {
      %8 = arith.addi %p, %q : i32
      array.yield %8 : i32
    }
    array.yield %9 : !array.array<[3][4]i32>
  }
  %11 = arith.muli %0, %1 : index
  %12 = array.reshape %xs, [%11] : [n][m]i32 -> [?]i32
  %20 = array.hist (%x_1 in %12 : [?]i32) into (%3 : [2][3][4]i32) neutral (%c0_i32 : i32) map {
    %13 = arith.remui %x_1, %c2_i32 : i32
    %14 = arith.index_cast %13 : i32 to index
    %15 = arith.remui %x_1, %c3_i32 : i32
    %16 = arith.index_cast %15 : i32 to index
    %17 = arith.remui %x_1, %c4_i32 : i32
    %18 = arith.index_cast %17 : i32 to index
    array.yield %14, %16, %18, %c1_i32 : index, index, index, i32
  } combine (%p_1, %q_1) {
    %19 = arith.addi %p_1, %q_1 : i32
    array.yield %19 : i32
  }
  %27 = array.scatter (%x_2 in %12 : [?]i32) into (%3 : [2][3][4]i32) {
    %21 = arith.remui %x_2, %c2_i32 : i32
    %22 = arith.index_cast %21 : i32 to index
    %23 = arith.remui %x_2, %c3_i32 : i32
    %24 = arith.index_cast %23 : i32 to index
    %25 = arith.remui %x_2, %c4_i32 : i32
    %26 = arith.index_cast %25 : i32 to index
    array.yield %22, %24, %26, %c7_i32 : index, index, index, i32
  }
  %33 = array.map (%p_2 in %10 : [n][3][4]i32) {
    %30 = array.map (%r_1 in %p_2 : [3][4]i32) {
      %29 = array.reduce (%r_1 : [4]i32) init (%c0_i32 : i32) combine (%a, %b) {
        %28 = arith.maxsi %a, %b : i32
        array.yield %28 : i32
      }
      array.yield %29 : i32
    }
    %32 = array.reduce (%30 : [3]i32) init (%c0_i32 : i32) combine (%a_1, %b_1) {
      %31 = arith.maxsi %a_1, %b_1 : i32
      array.yield %31 : i32
    }
    array.yield %32 : i32
  }
  func.return %10, %20, %27, %33 : !array.array<[n][3][4]i32>, !array.array<[2][3][4]i32>, !array.array<[2][3][4]i32>, !array.array<[n]i32>
}
