// run
// Knapsacks: a loop over things whose weights are indices, a row made anew from its own shifted part.
// inputs: [1, 3, 4]; [15, 20, 30]; 6
// inputs: []; []; 0
// inputs: [2]; [5]; 1
// inputs: [0, 2]; [3, 4]; 5
// inputs: [1]; [1]; -2
// error: @array.iota@ ... a size cannot be -1
// inputs: [-3]; [1]; 4
// error: @array.index %v10[@ ... is out of range
// numpy: d = np.zeros(cap + 1, np.int32)
// numpy: for x, y in zip(w, v):
// numpy:     e = d.copy()
// numpy:     for j in range(x, cap + 1): e[j] = max(d[j], d[j - x] + y)
// numpy:     d = e
// numpy: d, d[cap]
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%w: !array.array<[n]index>, %v: !array.array<[n]i32>, %cap: index) -> (!array.array<[?]i32>, i32) {
  %v1 = arith.constant 1 : index
  %v2 = arith.addi %cap, %v1 : index
  %v3 = array.iota %v2 : [?]index
  %v4 = arith.constant 0 : i32
  %v5 = arith.addi %cap, %v1 : index
  %v6 = array.replicate %v4, [%v5] : i32 -> [?]i32
  %v7 = array.dim %w, 0 : [n]index
  %v8 = arith.constant 0 : index
  %v23 = scf.for %v9 = %v8 to %v7 step %v1 iter_args(%v10 = %v6) -> (!array.array<[?]i32>) {
    %v22 = array.map (%v11 in %v3 : [?]index, %v12 in %v10 : [?]i32) {
      %v13 = array.index %w[%v9] : [n]index
      %v14 = arith.cmpi sge, %v11, %v13 : index
      %v21 = scf.if %v14 -> (i32) {
        %v15 = array.index %w[%v9] : [n]index
        %v16 = arith.subi %v11, %v15 : index
        %v17 = array.index %v10[%v16] : [?]i32
        %v18 = array.index %v[%v9] : [n]i32
        %v19 = arith.addi %v17, %v18 : i32
        %v20 = arith.maxsi %v12, %v19 : i32
        scf.yield %v20 : i32
      } else {
        scf.yield %v12 : i32
      }
      array.yield %v21 : i32
    }
    scf.yield %v22 : !array.array<[?]i32>
  }
  %v24 = array.index %v23[%cap] : [?]i32
  func.return %v23, %v24 : !array.array<[?]i32>, i32
}
