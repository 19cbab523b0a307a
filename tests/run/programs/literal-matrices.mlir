// run
// Literals of two dimensions, read in maps by computed indices, and splats.
// inputs: random:N where N = 0 1 7 40
// numpy: t = np.array([[1, 2, 3], [4, 5, 6]], np.int64)
// numpy: t[xs % 2, xs % 3], np.outer(xs, t[1]) + t[0], t.T, np.full((2, 2), 9, np.int8)
// structure: kernel.segmap 4
// versions: kernel.segmap 7
func.func @main(%xs: !array.array<[n]i64>) -> (!array.array<[n]i64>, !array.array<[n][3]i64>, !array.array<[3][2]i64>, !array.array<[2][2]i8>) {
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dense = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %t = array.from_tensor %dense : tensor<2x3xi64>
  %a = array.map (%x in %xs : [n]i64) {
    %p = arith.remui %x, %two : i64
    %q = arith.remui %x, %three : i64
    %i = arith.index_cast %p : i64 to index
    %j = arith.index_cast %q : i64 to index
    %e = array.index %t[%i, %j] : [2][3]i64
    array.yield %e : i64
  }
  %first = array.index %t[%c0] : [2][3]i64
  %b = array.map (%x in %xs : [n]i64) {
    %row = array.index %t[%c1] : [2][3]i64
    %r = array.map (%y in %row : [3]i64, %z in %first : [3]i64) {
      %u = arith.muli %x, %y : i64
      %v = arith.addi %u, %z : i64
      array.yield %v : i64
    }
    array.yield %r : !array.array<[3]i64>
  }
  %c = array.rearrange %t, [1, 0] : [2][3]i64
  %splat = arith.constant dense<9> : tensor<2x2xi8>
  %d = array.from_tensor %splat : tensor<2x2xi8>
  func.return %a, %b, %c, %d : !array.array<[n]i64>, !array.array<[n][3]i64>, !array.array<[3][2]i64>, !array.array<[2][2]i8>
}
