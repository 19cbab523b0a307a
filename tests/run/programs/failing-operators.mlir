// run
// Divisions in the bodies of a reduction, a scan, a histogram and a scatter, whose quotients are used or not.
// inputs: [8, 9]; [2, 3]
// inputs: []; []
// inputs: [100, -7, 3]; [-1, 4, 9]
// inputs: [8, 9]; [2, 0]
// error: @arith.divsi@ ... divides by zero
// numpy: t = lambda a, b: (np.sign(a) * np.sign(b) * (abs(a) // abs(b))).astype(np.int32)
// numpy: hh = np.zeros(3, np.int32)
// numpy: for x, i in zip(xs, t(xs, ds - 5)):
// numpy:     if 0 <= i < 3: hh[i] += x
// numpy: t(xs, ds).sum(dtype=np.int32), np.maximum.accumulate(np.maximum(xs, 0)), hh, t(xs, ds - 7)
// structure: kernel.seghist 1, kernel.segmap 2, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 1, kernel.segmap 2, kernel.segred 1, kernel.segscan 1
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>, %ds: !array.array<[n]i32>) -> (i32, !array.array<[n]i32>, !array.array<[3]i32>, !array.array<[n]i32>) {
  %v1 = arith.constant 0 : i32
  %v2 = array.dim %xs, 0 : [n]i32
  %v3 = array.iota %v2 : [n]index
  %v4 = arith.constant 3 : index
  %v5 = array.replicate %v1, [%v4] : i32 -> [3]i32
  %v6 = array.dim %xs, 0 : [n]i32
  %v7 = array.replicate %v1, [%v6] : i32 -> [n]i32
  %v14 = array.redomap (%v8 in %xs : [n]i32, %v9 in %ds : [n]i32) init (%v1 : i32) map {
    %v10 = arith.divsi %v8, %v9 : i32
    array.yield %v10 : i32
  } combine (%v11, %v12) {
    %v13 = arith.addi %v11, %v12 : i32
    array.yield %v13 : i32
  }
  %v21 = array.scanomap (%v15 in %xs : [n]i32, %v16 in %ds : [n]i32) init (%v1 : i32) map {
    %v17 = arith.remsi %v15, %v16 : i32
    array.yield %v15 : i32
  } combine (%v18, %v19) {
    %v20 = arith.maxsi %v18, %v19 : i32
    array.yield %v20 : i32
  }
  %v31 = array.hist (%v22 in %xs : [n]i32, %v23 in %ds : [n]i32) into (%v5 : [3]i32) neutral (%v1 : i32) map {
    %v24 = arith.constant 5 : i32
    %v25 = arith.subi %v23, %v24 : i32
    %v26 = arith.divsi %v22, %v25 : i32
    %v27 = arith.index_cast %v26 : i32 to index
    array.yield %v27, %v22 : index, i32
  } combine (%v28, %v29) {
    %v30 = arith.addi %v28, %v29 : i32
    array.yield %v30 : i32
  }
  %v38 = array.scatter (%v32 in %v3 : [n]index, %v33 in %xs : [n]i32, %v34 in %ds : [n]i32) into (%v7 : [n]i32) {
    %v35 = arith.constant 7 : i32
    %v36 = arith.subi %v34, %v35 : i32
    %v37 = arith.divsi %v33, %v36 : i32
    array.yield %v32, %v37 : index, i32
  }
  func.return %v14, %v21, %v31, %v38 : i32, !array.array<[n]i32>, !array.array<[3]i32>, !array.array<[n]i32>
}
