// run
// Chains of views: slices of reversed turned padded arrays, with strides in both directions, read by a nest and
// stored.
// inputs: random:NxM where N = 2 3 9; M = 3 4 17
// numpy: p = np.pad(xs, ((1, 2), (0, 3)), constant_values=-1)
// numpy: t = p.T[::-1]
// numpy: h, w = t.shape
// numpy: s = t[h - 1 :: -2, 1::3]
// numpy: r = s.reshape(-1)[::-1]
// numpy: s, r, s.sum(axis=0), r[::4], np.concatenate([s.T, s.T[:, ::-1]], axis=0)
// structure: kernel.segmap 4, kernel.segred 1
// versions: kernel.segmap 6, kernel.segred 2
func.func @main(%xs: !array.array<[n][m]i32>) -> (!array.array<[?][?]i32>, !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?][?]i32>) {
  %m1_i32 = arith.constant -1 : i32
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m2 = arith.constant -2 : index
  %c0_i32 = arith.constant 0 : i32
  %c4 = arith.constant 4 : index
  %0 = array.dim %xs, 0 : [n][m]i32
  %1 = array.dim %xs, 1 : [n][m]i32
  %2 = array.pad %xs, %m1_i32 low [%c1, %c0] high [%c2, %c3] : [n][m]i32 -> [?][?]i32
  %3 = array.rearrange %2, [1, 0] : [?][?]i32
  %4 = array.reverse %3, 0 : [?][?]i32
  %5 = array.dim %4, 0 : [?][?]i32
  %6 = array.dim %4, 1 : [?][?]i32
  %7 = arith.addi %5, %c1 : index
  %8 = arith.divui %7, %c2 : index
  %9 = arith.subi %6, %c1 : index
  %10 = arith.addi %9, %c2 : index
  %11 = arith.divui %10, %c3 : index
  %12 = arith.subi %5, %c1 : index
  %13 = array.slice %4[%12, %c1] sizes [%8, %11] strides [%m2, %c3] : [?][?]i32 -> [?][?]i32
  %14 = arith.muli %8, %11 : index
  %15 = array.reshape %13, [%14] : [?][?]i32 -> [?]i32
  %16 = array.reverse %15, 0 : [?]i32
  %17 = array.rearrange %13, [1, 0] : [?][?]i32
  %20 = array.map (%c in %17 : [?][?]i32) {
    %19 = array.reduce (%c : [?]i32) init (%c0_i32 : i32) combine (%p, %q) {
      %18 = arith.addi %p, %q : i32
      array.yield %18 : i32
    }
    array.yield %19 : i32
  }
  %21 = arith.addi %14, %c3 : index
  %22 = arith.divui %21, %c4 : index
  %23 = array.slice %16[%c0] sizes [%22] strides [%c4] : [?]i32 -> [?]i32
  %24 = array.rearrange %13, [1, 0] : [?][?]i32
  %25 = array.reverse %24, 1 : [?][?]i32
  %26 = array.concat %24, %25 : [?][?]i32, [?][?]i32 -> [?][?]i32
  func.return %13, %16, %20, %23, %26 : !array.array<[?][?]i32>, !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?][?]i32>
}
