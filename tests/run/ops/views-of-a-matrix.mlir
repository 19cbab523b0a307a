// run
// Views of a matrix as a whole: reversed, turned, cut with strides in both directions, padded, joined, picked, flattened.
// inputs: [[1, 2, 3], [4, 5, 6]]
// inputs: random:NxM where N = 0 1 2 13; M = 0 1 3 31
// numpy: n, m = xs.shape
// numpy: rows, columns = xs[:, ::-1], xs[::-1, :]
// numpy: cut = xs[::-1][: n // 2, ::2][:, : (m + 1) // 2]
// numpy: padded = np.pad(xs, ((1, 0), (2, 1)), constant_values=-1)
// numpy: (rows, columns, xs.T, cut, padded, np.concatenate([xs, columns, xs]), xs[::-1],
// numpy:     xs.ravel(), xs.T.reshape(n, m), np.array([n, m, 7]))
// structure: kernel.segmap 10
// versions: kernel.segmap 10
func.func @main(%xs: !array.array<[n][m]i32>) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[m][n]i32>, !array.array<[?][?]i32>, !array.array<[?][?]i32>, !array.array<[?][m]i32>, !array.array<[n][m]i32>, !array.array<[?]i32>, !array.array<[n][m]i32>, !array.array<[3]i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %back = arith.constant -1 : index
  %filler = arith.constant -1 : i32
  %n = array.dim %xs, 0 : [n][m]i32
  %m = array.dim %xs, 1 : [n][m]i32
  %rows = array.reverse %xs, 1 : [n][m]i32
  %columns = array.reverse %xs, 0 : [n][m]i32
  %turned = array.rearrange %xs, [1, 0] : [n][m]i32
  %height = arith.divui %n, %c2 : index
  %more = arith.addi %m, %c1 : index
  %width = arith.divui %more, %c2 : index
  %last = arith.subi %n, %c1 : index
  %from = arith.maxsi %last, %c0 : index
  %cut = array.slice %xs[%from, %c0] sizes [%height, %width] strides [%back, %c2] : [n][m]i32 -> [?][?]i32
  %padded = array.pad %xs, %filler low [%c1, %c2] high [%c0, %c1] : [n][m]i32 -> [?][?]i32
  %joined = array.concat %xs, %columns, %xs : [n][m]i32, [n][m]i32, [n][m]i32 -> [?][m]i32
  %is = array.iota %n : [n]index
  %order = array.map (%i in %is : [n]index) {
    %j = arith.subi %last, %i : index
    array.yield %j : index
  }
  %picked = array.gather %xs[%order] : [n][m]i32, [n]index
  %count = arith.muli %n, %m : index
  %flat = array.reshape %xs, [%count] : [n][m]i32 -> [?]i32
  %again = array.reshape %turned, [%n, %m] : [m][n]i32 -> [n][m]i32
  %n64 = arith.index_cast %n : index to i64
  %m64 = arith.index_cast %m : index to i64
  %dims = arith.constant dense<[0, 0, 7]> : tensor<3xi64>
  %literal = array.from_tensor %dims : tensor<3xi64>
  %with_n = array.update %n64, %literal[%c0] : i64, [3]i64
  %sizes = array.update %m64, %with_n[%c1] : i64, [3]i64
  func.return %rows, %columns, %turned, %cut, %padded, %joined, %picked, %flat, %again, %sizes : !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[m][n]i32>, !array.array<[?][?]i32>, !array.array<[?][?]i32>, !array.array<[?][m]i32>, !array.array<[n][m]i32>, !array.array<[?]i32>, !array.array<[n][m]i32>, !array.array<[3]i64>
}
