// run
// The knapsack problem: a row of the table per item, each of two shifted reads of the row before.
// inputs: [1, 3, 4, 5]; [1, 4, 5, 7]; 7
// inputs: random:N; random:N; C where N = 0 1 5 13; C = 0 1 97
// numpy: best = np.zeros(capacity + 1, np.int32)
// numpy: for w, v in zip(weights, values):
// numpy:     for c in range(capacity, w - 1, -1):
// numpy:         best[c] = max(best[c], best[c - w] + v)
// numpy: best, best[capacity]
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%weights: !array.array<[n]i32>, %values: !array.array<[n]i32>, %capacity: i64) -> (!array.array<[?]i32>, i32) {
  %c1 = arith.constant 1 : index
  %c0_i32 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %0 = arith.index_cast %capacity : i64 to index
  %1 = arith.addi %0, %c1 : index
  %2 = array.dim %weights, 0 : [n]i32
  %3 = array.replicate %c0_i32, [%1] : i32 -> [?]i32
  %4 = array.iota %1 : [?]index
  %16 = scf.for %i = %c0 to %2 step %c1 iter_args(%best = %3) -> (!array.array<[?]i32>) {
    %5 = array.index %weights[%i] : [n]i32
    %6 = arith.index_cast %5 : i32 to index
    %7 = array.index %values[%i] : [n]i32
    %15 = array.map (%c in %4 : [?]index, %b in %best : [?]i32) {
      %8 = arith.cmpi sle, %6, %c : index
      %9 = arith.subi %c, %6 : index
      %10 = arith.select %8, %9, %c0 : index
      %11 = array.index %best[%10] : [?]i32
      %12 = arith.addi %11, %7 : i32
      %13 = arith.maxsi %b, %12 : i32
      %14 = arith.select %8, %13, %b : i32
      array.yield %14 : i32
    }
    scf.yield %15 : !array.array<[?]i32>
  }
  %17 = array.index %16[%0] : [?]i32
  func.return %16, %17 : !array.array<[?]i32>, i32
}
