// run
// Two sorted lists merged by ranks: binary searches in while loops, scatter into a new list.
// inputs: [1, 3, 5]; [2, 3, 3, 9]
// inputs: []; [1]
// inputs: [4]; []
// inputs: []; []
// given: sorted lists
// numpy: np.sort(np.concatenate([a, b]))
// structure: kernel.segmap 3
// versions: kernel.segmap 3
func.func @main(%a: !array.array<[n]i64>, %b: !array.array<[m]i64>) -> !array.array<[?]i64> {
  %v1 = array.dim %a, 0 : [n]i64
  %v2 = array.dim %b, 0 : [m]i64
  %v3 = array.iota %v1 : [n]index
  %v4 = array.iota %v2 : [m]index
  %v25 = array.map (%v5 in %a : [n]i64, %v6 in %v3 : [n]index) {
    %v7 = arith.constant 0 : index
    %v22, %v23 = scf.while (%v8 = %v7, %v9 = %v2) : (index, index) -> (index, index) {
      %v10 = arith.cmpi slt, %v8, %v9 : index
      scf.condition(%v10) %v8, %v9 : index, index
    } do {
    ^bb0(%v11: index, %v12: index):
      %v13 = arith.addi %v11, %v12 : index
      %v14 = arith.constant 2 : index
      %v15 = arith.divui %v13, %v14 : index
      %v16 = array.index %b[%v15] : [m]i64
      %v17 = arith.cmpi slt, %v16, %v5 : i64
      %v18 = arith.constant 1 : index
      %v19 = arith.addi %v15, %v18 : index
      %v20 = arith.select %v17, %v19, %v11 : index
      %v21 = arith.select %v17, %v12, %v15 : index
      scf.yield %v20, %v21 : index, index
    }
    %v24 = arith.addi %v6, %v22 : index
    array.yield %v24 : index
  }
  %v46 = array.map (%v26 in %b : [m]i64, %v27 in %v4 : [m]index) {
    %v28 = arith.constant 0 : index
    %v43, %v44 = scf.while (%v29 = %v28, %v30 = %v1) : (index, index) -> (index, index) {
      %v31 = arith.cmpi slt, %v29, %v30 : index
      scf.condition(%v31) %v29, %v30 : index, index
    } do {
    ^bb0(%v32: index, %v33: index):
      %v34 = arith.addi %v32, %v33 : index
      %v35 = arith.constant 2 : index
      %v36 = arith.divui %v34, %v35 : index
      %v37 = array.index %a[%v36] : [n]i64
      %v38 = arith.cmpi sle, %v37, %v26 : i64
      %v39 = arith.constant 1 : index
      %v40 = arith.addi %v36, %v39 : index
      %v41 = arith.select %v38, %v40, %v32 : index
      %v42 = arith.select %v38, %v33, %v36 : index
      scf.yield %v41, %v42 : index, index
    }
    %v45 = arith.addi %v27, %v43 : index
    array.yield %v45 : index
  }
  %v47 = arith.constant 0 : i64
  %v48 = arith.addi %v1, %v2 : index
  %v49 = array.replicate %v47, [%v48] : i64 -> [?]i64
  %v50 = array.concat %a, %b : [n]i64, [m]i64 -> [?]i64
  %v51 = array.concat %v25, %v46 : [n]index, [m]index -> [?]index
  %v54 = array.scatter (%v52 in %v51 : [?]index, %v53 in %v50 : [?]i64) into (%v49 : [?]i64) {
    array.yield %v52, %v53 : index, i64
  }
  func.return %v54 : !array.array<[?]i64>
}
