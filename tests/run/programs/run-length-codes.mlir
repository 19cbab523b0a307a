// run
// Run lengths of bytes: starts found by a map, compacted by scan and scatter, lengths from neighbours.
// inputs: [5, 5, 5, 2, 2, 7]
// inputs: []
// inputs: [1]
// inputs: random:N where N = 2 33 300
// numpy: n = len(xs)
// numpy: st = [i for i in range(n) if i == 0 or xs[i] != xs[i - 1]]
// numpy: k = np.zeros(n, np.int8); c = np.zeros(n, np.int32)
// numpy: for j, s in enumerate(st):
// numpy:     k[j] = xs[s]; c[j] = (st[j + 1] if j + 1 < len(st) else n) - s
// numpy: np.int64(len(st)), k, c
// structure: kernel.seghist 1, kernel.segmap 2, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 1, kernel.segmap 2, kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i8>) -> (i64, !array.array<[n]i8>, !array.array<[n]i32>) {
  %v1 = array.dim %xs, 0 : [n]i8
  %v2 = array.iota %v1 : [n]index
  %v14 = array.map (%v3 in %v2 : [n]index) {
    %v4 = arith.constant 0 : index
    %v5 = arith.cmpi eq, %v3, %v4 : index
    %v13 = scf.if %v5 -> (i32) {
      %v6 = arith.constant 1 : i32
      scf.yield %v6 : i32
    } else {
      %v7 = array.index %xs[%v3] : [n]i8
      %v8 = arith.constant 1 : index
      %v9 = arith.subi %v3, %v8 : index
      %v10 = array.index %xs[%v9] : [n]i8
      %v11 = arith.cmpi ne, %v7, %v10 : i8
      %v12 = arith.extui %v11 : i1 to i32
      scf.yield %v12 : i32
    }
    array.yield %v13 : i32
  }
  %v15 = arith.constant 0 : i32
  %v19 = array.scan (%v14 : [n]i32) init (%v15 : i32) combine (%v16, %v17) {
    %v18 = arith.addi %v16, %v17 : i32
    array.yield %v18 : i32
  }
  %v23 = array.reduce (%v14 : [n]i32) init (%v15 : i32) combine (%v20, %v21) {
    %v22 = arith.addi %v20, %v21 : i32
    array.yield %v22 : i32
  }
  %v24 = arith.constant 0 : i8
  %v25 = array.replicate %v24, [%v1] : i8 -> [n]i8
  %v26 = array.replicate %v15, [%v1] : i32 -> [n]i32
  %v37 = array.scatter (%v27 in %v2 : [n]index, %v28 in %v14 : [n]i32, %v29 in %v19 : [n]i32) into (%v25 : [n]i8) {
    %v30 = arith.constant 1 : i32
    %v31 = arith.cmpi eq, %v28, %v30 : i32
    %v32 = arith.subi %v29, %v30 : i32
    %v33 = arith.index_cast %v32 : i32 to index
    %v34 = arith.constant -1 : index
    %v35 = arith.select %v31, %v33, %v34 : index
    %v36 = array.index %xs[%v27] : [n]i8
    array.yield %v35, %v36 : index, i8
  }
  %v45 = array.hist (%v38 in %v19 : [n]i32) into (%v26 : [n]i32) neutral (%v15 : i32) map {
    %v39 = arith.constant 1 : i32
    %v40 = arith.subi %v38, %v39 : i32
    %v41 = arith.index_cast %v40 : i32 to index
    array.yield %v41, %v39 : index, i32
  } combine (%v42, %v43) {
    %v44 = arith.addi %v42, %v43 : i32
    array.yield %v44 : i32
  }
  %v46 = arith.extsi %v23 : i32 to i64
  func.return %v46, %v37, %v45 : i64, !array.array<[n]i8>, !array.array<[n]i32>
}
