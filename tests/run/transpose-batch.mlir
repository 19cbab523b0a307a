// run
// Dimensions of a batch in every order that moves the innermost one.
// inputs: random:NxMxK where N = 1 3 33; M = 2 40; K = 1 35
// structure: kernel.segmap 3
// versions: kernel.segmap 3
func.func @main(%a: !array.array<[n][m][k]i16>) -> (!array.array<[n][k][m]i16>, !array.array<[k][m][n]i16>, !array.array<[m][k][n]i16>) {
  %p = array.rearrange %a, [0, 2, 1] : [n][m][k]i16
  %q = array.rearrange %a, [2, 1, 0] : [n][m][k]i16
  %r = array.rearrange %a, [1, 2, 0] : [n][m][k]i16
  func.return %p, %q, %r : !array.array<[n][k][m]i16>, !array.array<[k][m][n]i16>, !array.array<[m][k][n]i16>
}
