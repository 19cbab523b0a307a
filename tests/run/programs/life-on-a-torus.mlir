// run
// Game of life whose edges meet: rows and columns rolled by concat of parts, some rounds.
// inputs: [[0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]; 3
// inputs: [[1]]; 2
// inputs: [[0, 1, 1], [1, 1, 0]]; 0
// numpy: a = w
// numpy: for _ in range(rounds):
// numpy:     s = sum(np.roll(a, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
// numpy:     a = ((s == 3) | ((s == 2) & (a == 1))).astype(np.int8)
// numpy: a
// structure: kernel.segmap 1
// shapes: 5
// versions: kernel.segmap 1
func.func @main(%w: !array.array<[n][m]i8>, %rounds: index) -> !array.array<[n][m]i8> {
  %v1 = array.dim %w, 0 : [n][m]i8
  %v2 = array.dim %w, 1 : [n][m]i8
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 1 : index
  %v101 = scf.for %v5 = %v3 to %rounds step %v4 iter_args(%v6 = %w) -> (!array.array<[n][m]i8>) {
    %v7 = arith.subi %v1, %v4 : index
    %v8 = array.slice %v6[%v7, %v3] sizes [%v4, %v2] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v9 = array.slice %v6[%v3, %v3] sizes [%v7, %v2] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v10 = array.concat %v8, %v9 : [?][?]i8, [?][?]i8 -> [?][?]i8
    %v11 = arith.subi %v1, %v4 : index
    %v12 = array.slice %v6[%v4, %v3] sizes [%v11, %v2] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v13 = array.slice %v6[%v3, %v3] sizes [%v4, %v2] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v14 = array.concat %v12, %v13 : [?][?]i8, [?][?]i8 -> [?][?]i8
    %v15 = array.cast %v10 : [?][?]i8 -> [n][m]i8
    %v16 = arith.subi %v2, %v4 : index
    %v17 = array.slice %v15[%v3, %v16] sizes [%v1, %v4] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v18 = array.slice %v15[%v3, %v3] sizes [%v1, %v16] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v19 = array.rearrange %v17, [1, 0] : [?][?]i8
    %v20 = array.rearrange %v18, [1, 0] : [?][?]i8
    %v21 = array.concat %v19, %v20 : [?][?]i8, [?][?]i8 -> [?][?]i8
    %v22 = array.rearrange %v21, [1, 0] : [?][?]i8
    %v23 = array.cast %v22 : [?][?]i8 -> [n][m]i8
    %v24 = arith.subi %v2, %v4 : index
    %v25 = array.slice %v15[%v3, %v4] sizes [%v1, %v24] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v26 = array.slice %v15[%v3, %v3] sizes [%v1, %v4] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v27 = array.rearrange %v25, [1, 0] : [?][?]i8
    %v28 = array.rearrange %v26, [1, 0] : [?][?]i8
    %v29 = array.concat %v27, %v28 : [?][?]i8, [?][?]i8 -> [?][?]i8
    %v30 = array.rearrange %v29, [1, 0] : [?][?]i8
    %v31 = array.cast %v30 : [?][?]i8 -> [n][m]i8
    %v32 = arith.subi %v2, %v4 : index
    %v33 = array.slice %v6[%v3, %v32] sizes [%v1, %v4] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v34 = array.slice %v6[%v3, %v3] sizes [%v1, %v32] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v35 = array.rearrange %v33, [1, 0] : [?][?]i8
    %v36 = array.rearrange %v34, [1, 0] : [?][?]i8
    %v37 = array.concat %v35, %v36 : [?][?]i8, [?][?]i8 -> [?][?]i8
    %v38 = array.rearrange %v37, [1, 0] : [?][?]i8
    %v39 = array.cast %v38 : [?][?]i8 -> [n][m]i8
    %v40 = arith.subi %v2, %v4 : index
    %v41 = array.slice %v6[%v3, %v4] sizes [%v1, %v40] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v42 = array.slice %v6[%v3, %v3] sizes [%v1, %v4] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v43 = array.rearrange %v41, [1, 0] : [?][?]i8
    %v44 = array.rearrange %v42, [1, 0] : [?][?]i8
    %v45 = array.concat %v43, %v44 : [?][?]i8, [?][?]i8 -> [?][?]i8
    %v46 = array.rearrange %v45, [1, 0] : [?][?]i8
    %v47 = array.cast %v46 : [?][?]i8 -> [n][m]i8
    %v48 = array.cast %v14 : [?][?]i8 -> [n][m]i8
    %v49 = arith.subi %v2, %v4 : index
    %v50 = array.slice %v48[%v3, %v49] sizes [%v1, %v4] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v51 = array.slice %v48[%v3, %v3] sizes [%v1, %v49] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v52 = array.rearrange %v50, [1, 0] : [?][?]i8
    %v53 = array.rearrange %v51, [1, 0] : [?][?]i8
    %v54 = array.concat %v52, %v53 : [?][?]i8, [?][?]i8 -> [?][?]i8
    %v55 = array.rearrange %v54, [1, 0] : [?][?]i8
    %v56 = array.cast %v55 : [?][?]i8 -> [n][m]i8
    %v57 = arith.subi %v2, %v4 : index
    %v58 = array.slice %v48[%v3, %v4] sizes [%v1, %v57] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v59 = array.slice %v48[%v3, %v3] sizes [%v1, %v4] strides [%v4, %v4] : [n][m]i8 -> [?][?]i8
    %v60 = array.rearrange %v58, [1, 0] : [?][?]i8
    %v61 = array.rearrange %v59, [1, 0] : [?][?]i8
    %v62 = array.concat %v60, %v61 : [?][?]i8, [?][?]i8 -> [?][?]i8
    %v63 = array.rearrange %v62, [1, 0] : [?][?]i8
    %v64 = array.cast %v63 : [?][?]i8 -> [n][m]i8
    %v100 = array.map (%v65 in %v6 : [n][m]i8, %v66 in %v23 : [n][m]i8, %v67 in %v31 : [n][m]i8, %v68 in %v15 : [n][m]i8, %v69 in %v39 : [n][m]i8, %v70 in %v47 : [n][m]i8, %v71 in %v56 : [n][m]i8, %v72 in %v64 : [n][m]i8, %v73 in %v48 : [n][m]i8) {
      %v99 = array.map (%v74 in %v65 : [m]i8, %v75 in %v66 : [m]i8, %v76 in %v67 : [m]i8, %v77 in %v68 : [m]i8, %v78 in %v69 : [m]i8, %v79 in %v70 : [m]i8, %v80 in %v71 : [m]i8, %v81 in %v72 : [m]i8, %v82 in %v73 : [m]i8) {
        %v83 = arith.addi %v75, %v76 : i8
        %v84 = arith.addi %v83, %v77 : i8
        %v85 = arith.addi %v84, %v78 : i8
        %v86 = arith.addi %v85, %v79 : i8
        %v87 = arith.addi %v86, %v80 : i8
        %v88 = arith.addi %v87, %v81 : i8
        %v89 = arith.addi %v88, %v82 : i8
        %v90 = arith.constant 3 : i8
        %v91 = arith.cmpi eq, %v89, %v90 : i8
        %v92 = arith.constant 2 : i8
        %v93 = arith.cmpi eq, %v89, %v92 : i8
        %v94 = arith.constant 1 : i8
        %v95 = arith.cmpi eq, %v74, %v94 : i8
        %v96 = arith.andi %v93, %v95 : i1
        %v97 = arith.ori %v91, %v96 : i1
        %v98 = arith.extui %v97 : i1 to i8
        array.yield %v98 : i8
      }
      array.yield %v99 : [m]i8
    }
    scf.yield %v100 : !array.array<[n][m]i8>
  }
  func.return %v101 : !array.array<[n][m]i8>
}
