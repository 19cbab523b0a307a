// run
// The three largest, one after the other: a loop that takes the largest out by an update.
// inputs: [5, 1, 9, 9]
// inputs: random:N where N = 3 33 700
// inputs: []
// error: @array.update@ ... index -1 is out of range
// numpy: rest, at, largest = xs.copy(), [], []
// numpy: for _ in range(3):
// numpy:     at.append(int(rest.argmax()) if len(rest) else 0)
// numpy:     largest.append(rest[at[-1]])
// numpy:     rest[at[-1]] = -2**31
// numpy: np.array(largest), np.array(at)
// structure: kernel.segmap 2, kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 1
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[3]i32>, !array.array<[3]index>) {
  %v1 = array.dim %xs, 0 : [n]i32
  %v2 = array.iota %v1 : [n]index
  %v3 = arith.constant -2147483648 : i32
  %v4 = arith.constant -1 : index
  %v5 = arith.constant 0 : i32
  %v6 = arith.constant 3 : index
  %v7 = array.replicate %v5, [%v6] : i32 -> [3]i32
  %v8 = arith.constant 0 : index
  %v9 = array.replicate %v8, [%v6] : index -> [3]index
  %v10 = arith.constant 1 : index
  %v31, %v32, %v33 = scf.for %v11 = %v8 to %v6 step %v10 iter_args(%v12 = %xs, %v13 = %v7, %v14 = %v9) -> (!array.array<[n]i32>, !array.array<[3]i32>, !array.array<[3]index>) {
    %v26, %v27 = array.reduce (%v12 : [n]i32, %v2 : [n]index) init (%v3 : i32, %v4 : index) neutral (%v3 : i32, %v4 : index) combine (%v15, %v16, %v17, %v18) {
      %v19 = arith.cmpi sgt, %v17, %v15 : i32
      %v20 = arith.cmpi eq, %v17, %v15 : i32
      %v21 = arith.cmpi ult, %v18, %v16 : index
      %v22 = arith.andi %v20, %v21 : i1
      %v23 = arith.ori %v19, %v22 : i1
      %v24 = arith.select %v23, %v17, %v15 : i32
      %v25 = arith.select %v23, %v18, %v16 : index
      array.yield %v24, %v25 : i32, index
    }
    %v28 = array.update %v3, %v12[%v27] : i32, [n]i32
    %v29 = array.update %v26, %v13[%v11] : i32, [3]i32
    %v30 = array.update %v27, %v14[%v11] : index, [3]index
    scf.yield %v28, %v29, %v30 : !array.array<[n]i32>, !array.array<[3]i32>, !array.array<[3]index>
  }
  func.return %v32, %v33 : !array.array<[3]i32>, !array.array<[3]index>
}
