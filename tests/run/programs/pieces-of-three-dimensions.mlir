// run
// Concatenations and pads of three-dimensional arrays, with nothing added on some sides.
// inputs: random:NxMxK; random:LxMxK where N = 0 1 3; M = 0 1 2; K = 1 5; L = 0 2
// numpy: z = np.concatenate([xs, ys, xs[::-1]])
// numpy: p = np.pad(z, ((0, 1), (2, 0), (0, 0)), constant_values=9)
// numpy: z, p, p.transpose(2, 1, 0)[::2], p.sum(axis=2, dtype=np.int16)
// structure: kernel.segmap 4
// versions: kernel.segmap 5, kernel.segred 2
func.func @main(%xs: !array.array<[n][m][k]i16>, %ys: !array.array<[l][m][k]i16>) -> (!array.array<[?][m][k]i16>, !array.array<[?][?][k]i16>, !array.array<[?][?][?]i16>, !array.array<[?][?]i16>) {
  %c9_i16 = arith.constant 9 : i16
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0_i16 = arith.constant 0 : i16
  %0 = array.reverse %xs, 0 : [n][m][k]i16
  %1 = array.concat %xs, %ys, %0 : [n][m][k]i16, [l][m][k]i16, [n][m][k]i16 -> [?][m][k]i16
  %2 = array.pad %1, %c9_i16 low [%c0, %c2, %c0] high [%c1, %c0, %c0] : [?][m][k]i16 -> [?][?][k]i16
  %3 = array.rearrange %2, [2, 1, 0] : [?][?][k]i16
  %4 = array.dim %xs, 2 : [n][m][k]i16
  %5 = arith.addi %4, %c1 : index
  %6 = arith.divui %5, %c2 : index
  %7 = array.dim %3, 1 : [k][?][?]i16
  %8 = array.dim %3, 2 : [k][?][?]i16
  %9 = array.slice %3[%c0, %c0, %c0] sizes [%6, %7, %8] strides [%c2, %c1, %c1] : [k][?][?]i16 -> [?][?][?]i16
  %13 = array.map (%q in %2 : [?][?][k]i16) {
    %12 = array.map (%r in %q : [?][k]i16) {
      %11 = array.reduce (%r : [k]i16) init (%c0_i16 : i16) combine (%p, %q_1) {
        %10 = arith.addi %p, %q_1 : i16
        array.yield %10 : i16
      }
      array.yield %11 : i16
    }
    array.yield %12 : !array.array<[?]i16>
  }
  func.return %1, %2, %9, %13 : !array.array<[?][m][k]i16>, !array.array<[?][?][k]i16>, !array.array<[?][?][?]i16>, !array.array<[?][?]i16>
}
