// run
// An array that grows by its own parts in a host loop, then shrinks by filters until one is left.
// inputs: [1, 2, 3]; 3
// inputs: [4]; 0
// inputs: [1, 2]; 2
// inputs: []; 0
// inputs: []; 1
// error: @array.slice@ ... 1 elements from index 0 on reach outside
// numpy: a = xs
// numpy: for i in range(n): a = np.concatenate([a, a[i:i + 1], a[::-1][:len(a) // 2]])
// numpy: b, c = a, 0
// numpy: while len(b) > 1: b, c = b[::2], c + 1
// numpy: a, np.int64(c), b
// shapes: 6
// structure: kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 1, kernel.segscan 1
func.func @main(%xs: !array.array<[?]i32>, %n: index) -> (!array.array<[?]i32>, index, !array.array<[?]i32>) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 1 : index
  %v12 = scf.for %v3 = %v1 to %n step %v2 iter_args(%v4 = %xs) -> (!array.array<[?]i32>) {
    %v5 = array.slice %v4[%v3] sizes [%v2] strides [%v2] : [?]i32 -> [?]i32
    %v6 = array.reverse %v4, 0 : [?]i32
    %v7 = array.dim %v4, 0 : [?]i32
    %v8 = arith.constant 2 : index
    %v9 = arith.divui %v7, %v8 : index
    %v10 = array.slice %v6[%v1] sizes [%v9] strides [%v2] : [?]i32 -> [?]i32
    %v11 = array.concat %v4, %v5, %v10 : [?]i32, [?]i32, [?]i32 -> [?]i32
    scf.yield %v11 : !array.array<[?]i32>
  }
  %v30, %v31 = scf.while (%v13 = %v12, %v14 = %v1) : (!array.array<[?]i32>, index) -> (!array.array<[?]i32>, index) {
    %v15 = array.dim %v13, 0 : [?]i32
    %v16 = arith.cmpi sgt, %v15, %v2 : index
    scf.condition(%v16) %v13, %v14 : !array.array<[?]i32>, index
  } do {
  ^bb0(%v17: !array.array<[?]i32>, %v18: index):
    %v19 = array.dim %v17, 0 : [?]i32
    %v20 = array.iota %v19 : [?]index
    %v26, %v27 = array.filter (%v21 in %v17 : [?]i32, %v22 in %v20 : [?]index) -> [kept] {
      %v23 = arith.constant 2 : index
      %v24 = arith.remui %v22, %v23 : index
      %v25 = arith.cmpi eq, %v24, %v1 : index
      array.yield %v25 : i1
    }
    %v28 = array.cast %v26 : [kept]i32 -> [?]i32
    %v29 = arith.addi %v18, %v2 : index
    scf.yield %v28, %v29 : !array.array<[?]i32>, index
  }
  func.return %v12, %v31, %v30 : !array.array<[?]i32>, index, !array.array<[?]i32>
}
