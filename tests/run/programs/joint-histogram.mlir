// run
// Counts of pairs in two dimensions, then the table taken apart by reshape; out of range is left out.
// inputs: [0, 1, 1, 5, -1]; [2, 0, 0, 0, 1]; 2; 3
// inputs: []; []; 0; 3
// inputs: [1]; [1]; 0; 0
// inputs: random:N; random:N; 40; 37 where N = 1 500
// inputs: [0]; [0]; -1; 2
// error: @array.replicate@ ... a size cannot be -1
// inputs: [0]; [0, 1]; 1; 2
// error: size `n`
// numpy: h = np.zeros((a, b), np.int32)
// numpy: for x, y in zip(xs, ys):
// numpy:     if 0 <= x < a and 0 <= y < b: h[x, y] += 1
// numpy: h, h.sum(1)
// structure: kernel.seghist 1, kernel.segmap 1, kernel.segred 1
// versions: kernel.seghist 1, kernel.segmap 3, kernel.segred 2
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %a: index, %b: index) -> (!array.array<[?][?]i32>, !array.array<[?]i32>) {
  %v1 = arith.constant 0 : i32
  %v2 = array.replicate %v1, [%a, %b] : i32 -> [?][?]i32
  %v11 = array.hist (%v3 in %xs : [n]i32, %v4 in %ys : [n]i32) into (%v2 : [?][?]i32) neutral (%v1 : i32) map {
    %v5 = arith.index_cast %v3 : i32 to index
    %v6 = arith.index_cast %v4 : i32 to index
    %v7 = arith.constant 1 : i32
    array.yield %v5, %v6, %v7 : index, index, i32
  } combine (%v8, %v9) {
    %v10 = arith.addi %v8, %v9 : i32
    array.yield %v10 : i32
  }
  %v17 = array.map (%v12 in %v11 : [?][?]i32) {
    %v16 = array.reduce (%v12 : [?]i32) init (%v1 : i32) combine (%v13, %v14) {
      %v15 = arith.addi %v13, %v14 : i32
      array.yield %v15 : i32
    }
    array.yield %v16 : i32
  }
  func.return %v11, %v17 : !array.array<[?][?]i32>, !array.array<[?]i32>
}
