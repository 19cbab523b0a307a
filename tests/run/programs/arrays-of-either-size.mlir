// run
// Branches at the top level whose arrays have other sizes, and loops that carry what they give.
// inputs: random:N; F; K where N = 0 1 5 33; F = true false; K = 0 1 3
// numpy: ys = xs
// numpy: for i in range(k):
// numpy:     if flag:
// numpy:         ys = np.concatenate([ys, xs[:1] + i])
// numpy:     else:
// numpy:         ys = ys[: len(ys) - len(ys) // 2]
// numpy: ys, len(ys), ys.sum(dtype=np.int32)
// structure: kernel.segmap 2, kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>, %flag: i1, %k: i32) -> (!array.array<[?]i32>, i64, i32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c0_i32 = arith.constant 0 : i32
  %0 = array.dim %xs, 0 : [n]i32
  %1 = array.cast %xs : [n]i32 -> [?]i32
  %2 = arith.minsi %0, %c1 : index
  %3 = arith.index_cast %k : i32 to index
  %14 = scf.for %i = %c0 to %3 step %c1 iter_args(%ys = %1) -> (!array.array<[?]i32>) {
    %4 = arith.index_cast %i : index to i32
    %13 = scf.if %flag -> (!array.array<[?]i32>) {
      %5 = array.slice %xs[%c0] sizes [%2] strides [%c1] : [n]i32 -> [?]i32
      %7 = array.map (%x in %5 : [?]i32) {
        %6 = arith.addi %x, %4 : i32
        array.yield %6 : i32
      }
      %8 = array.concat %ys, %7 : [?]i32, [?]i32 -> [?]i32
      scf.yield %8 : !array.array<[?]i32>
    } else {
      %9 = array.dim %ys, 0 : [?]i32
      %10 = arith.divui %9, %c2 : index
      %11 = arith.subi %9, %10 : index
      %12 = array.slice %ys[%c0] sizes [%11] strides [%c1] : [?]i32 -> [?]i32
      scf.yield %12 : !array.array<[?]i32>
    }
    scf.yield %13 : !array.array<[?]i32>
  }
  %15 = array.dim %14, 0 : [?]i32
  %16 = arith.index_cast %15 : index to i64
  %18 = array.reduce (%14 : [?]i32) init (%c0_i32 : i32) combine (%p, %q) {
    %17 = arith.addi %p, %q : i32
    array.yield %17 : i32
  }
  func.return %14, %16, %18 : !array.array<[?]i32>, i64, i32
}
