// run
// Big strides: columns of a flattened matrix by a stride of its width, forwards and backwards, put together again.
// inputs: [1, 2, 3, 4, 5, 6]; 2
// inputs: random:60; W where W = 1 2 3 7 60
// inputs: []; 5
// inputs: random:1009; 100
// numpy: h = len(xs) // width
// numpy: m = xs[: h * width].reshape(h, width)
// numpy: first, last = m[:, 0], m[::-1, width - 1]
// numpy: (first, last, np.concatenate([first, last]), m.T[::-1].ravel())
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%xs: !array.array<[k]i64>, %width: i64) -> (!array.array<[?]i64>, !array.array<[?]i64>, !array.array<[?]i64>, !array.array<[?]i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = array.dim %xs, 0 : [k]i64
  %1 = arith.index_cast %width : i64 to index
  %2 = arith.divsi %0, %1 : index
  %3 = arith.muli %2, %1 : index
  %4 = array.slice %xs[%c0] sizes [%2] strides [%1] : [k]i64 -> [?]i64
  %5 = arith.subi %3, %c1 : index
  %6 = arith.maxsi %5, %c0 : index
  %7 = arith.subi %c0, %1 : index
  %8 = array.slice %xs[%6] sizes [%2] strides [%7] : [k]i64 -> [?]i64
  %9 = array.concat %4, %8 : [?]i64, [?]i64 -> [?]i64
  %10 = array.iota %1 : [?]index
  %14 = array.map (%j in %10 : [?]index) {
    %11 = arith.subi %1, %c1 : index
    %12 = arith.subi %11, %j : index
    %13 = array.slice %xs[%12] sizes [%2] strides [%1] : [k]i64 -> [?]i64
    array.yield %13 : !array.array<[?]i64>
  }
  %15 = array.reshape %14, [%3] : [?][?]i64 -> [?]i64
  func.return %4, %8, %9, %15 : !array.array<[?]i64>, !array.array<[?]i64>, !array.array<[?]i64>, !array.array<[?]i64>
}
