// run
// Slices that repeat one element, that are empty at the end, and that go back over the whole array.
// inputs: random:N; K where N = 1 2 33; K = 0 1 5
// numpy: np.repeat(xs[-1:], k), xs[len(xs):], xs[::-1], np.repeat(xs[None, :], k, axis=0)
// structure: kernel.segmap 4
// versions: kernel.segmap 4
func.func @main(%xs: !array.array<[n]f32>, %k: i64) -> (!array.array<[?]f32>, !array.array<[?]f32>, !array.array<[n]f32>, !array.array<[?][n]f32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %0 = array.dim %xs, 0 : [n]f32
  %1 = arith.index_cast %k : i64 to index
  %2 = arith.subi %0, %c1 : index
  %3 = array.slice %xs[%2] sizes [%1] strides [%c0] : [n]f32 -> [?]f32
  %4 = array.slice %xs[%0] sizes [%c0] strides [%c1] : [n]f32 -> [?]f32
  %5 = arith.subi %0, %c1 : index
  %6 = array.slice %xs[%5] sizes [%0] strides [%m1] : [n]f32 -> [n]f32
  %7 = array.reshape %xs, [%c1, %0] : [n]f32 -> [1][n]f32
  %8 = array.slice %7[%c0, %c0] sizes [%1, %0] strides [%c0, %c1] : [1][n]f32 -> [?][n]f32
  func.return %3, %4, %6, %8 : !array.array<[?]f32>, !array.array<[?]f32>, !array.array<[n]f32>, !array.array<[?][n]f32>
}
