// run
// Views and updates of rows inside a map, each by another row.
// inputs: [[1, 2, 3, 4], [5, 6, 7, 8]]; [3, 1]
// inputs: random:NxM; random:N where N = 0 1 5 37; M = 2 3 32
// numpy: n, m = xs.shape
// numpy: at = keys % max(m, 1)
// numpy: each = np.arange(n)
// numpy: rolled = np.stack([np.roll(row, -k) for row, k in zip(xs, at)]) if n else xs
// numpy: updated = xs.copy()
// numpy: updated[each, at] = -1
// numpy: indexed = xs[each, at]
// numpy: (xs[:, ::-1], xs[:, ::2][:, : m // 2], np.pad(xs, ((0, 0), (2, 1)), constant_values=5),
// numpy:     np.concatenate([xs, xs[:, ::-1]], axis=1), rolled, xs.reshape(n, m, 1), xs.reshape(n, 1, m), updated, indexed,
// numpy:     np.tile(np.arange(m, dtype=np.int16), (n, 1)), np.repeat(keys, m).reshape(n, m), xs * 2 + 3)
// shapes: 6
// structure: kernel.segmap 11
// versions: kernel.segmap 12
func.func @main(%xs: !array.array<[n][m]i64>, %keys: !array.array<[n]i64>) -> (!array.array<[n][m]i64>, !array.array<[n][?]i64>, !array.array<[n][?]i64>, !array.array<[n][?]i64>, !array.array<[n][m]i64>, !array.array<[n][m][1]i64>, !array.array<[n][1][m]i64>, !array.array<[n][m]i64>, !array.array<[n]i64>, !array.array<[n][m]i16>, !array.array<[n][m]i64>, !array.array<[n][m]i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %five = arith.constant 5 : i64
  %minus = arith.constant -1 : i64
  %m = array.dim %xs, 1 : [n][m]i64
  %half = arith.divui %m, %c2 : index
  %back, %cut, %padded, %joined, %rolled, %column, %line, %updated, %indexed, %counts, %copies, %linear = array.map (%row in %xs : [n][m]i64, %key in %keys : [n]i64) {
    %length = array.dim %row, 0 : [m]i64
    %least = arith.maxsi %length, %c1 : index
    %key_index = arith.index_cast %key : i64 to index
    %k = arith.remui %key_index, %least : index
    %r = array.reverse %row, 0 : [m]i64
    %s = array.slice %row[%c0] sizes [%half] strides [%c2] : [m]i64 -> [?]i64
    %p = array.pad %row, %five low [%c2] high [%c1] : [m]i64 -> [?]i64
    %j = array.concat %row, %r : [m]i64, [m]i64 -> [?]i64
    %is = array.iota %m : [m]index
    %shifted = array.map (%i in %is : [m]index) {
      %to = arith.addi %i, %k : index
      %wrapped = arith.remui %to, %least : index
      array.yield %wrapped : index
    }
    %g = array.gather %row[%shifted] : [m]i64, [m]index
    %col = array.reshape %row, [%m, %c1] : [m]i64 -> [m][1]i64
    %turned = array.rearrange %col, [1, 0] : [m][1]i64
    %u = array.update %minus, %row[%k] : i64, [m]i64
    %e = array.index %row[%k] : [m]i64
    %numbers = array.iota %m : [m]i16
    %same = array.replicate %key, [%m] : i64 -> [m]i64
    %factors = arith.constant dense<[3, 2]> : tensor<2xi64>
    %poly = array.from_tensor %factors : tensor<2xi64>
    %claimed = array.cast %poly : [2]i64 -> [?]i64
    %offset = array.index %claimed[%c0] : [?]i64
    %factor = array.index %claimed[%c1] : [?]i64
    %l = array.map (%x in %row : [m]i64) {
      %xa = arith.muli %x, %factor : i64
      %xb = arith.addi %xa, %offset : i64
      array.yield %xb : i64
    }
    array.yield %r, %s, %p, %j, %g, %col, %turned, %u, %e, %numbers, %same, %l : !array.array<[m]i64>, !array.array<[?]i64>, !array.array<[?]i64>, !array.array<[?]i64>, !array.array<[m]i64>, !array.array<[m][1]i64>, !array.array<[1][m]i64>, !array.array<[m]i64>, i64, !array.array<[m]i16>, !array.array<[m]i64>, !array.array<[m]i64>
  }
  func.return %back, %cut, %padded, %joined, %rolled, %column, %line, %updated, %indexed, %counts, %copies, %linear : !array.array<[n][m]i64>, !array.array<[n][?]i64>, !array.array<[n][?]i64>, !array.array<[n][?]i64>, !array.array<[n][m]i64>, !array.array<[n][m][1]i64>, !array.array<[n][1][m]i64>, !array.array<[n][m]i64>, !array.array<[n]i64>, !array.array<[n][m]i16>, !array.array<[n][m]i64>, !array.array<[n][m]i64>
}
