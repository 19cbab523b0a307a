// run
// Nearest of some centres for every point, the least index among equals, and the means by histograms.
// inputs: [[0.0, 0.0], [1.0, 1.0], [0.9, 1.0]]; [[0.0, 0.1], [1.0, 1.0], [5.0, 5.0]]
// inputs: [[0.0], [1.0]]; [[7.0]]
// numpy: d = ((pts[:, None, :] - cs[None]) ** 2).sum(2)
// numpy: l = d.argmin(1) if len(cs) else np.full(len(pts), -1)
// numpy: k = len(cs)
// numpy: c = np.bincount(l[l >= 0], minlength=k).astype(np.int32) if k else np.zeros(0, np.int32)
// numpy: s = np.zeros((k, pts.shape[1]), np.float32)
// numpy: for i, j in enumerate(l):
// numpy:     if j >= 0: s[j] += pts[i]
// numpy: l.astype(np.int64), np.where(c[:, None] > 0, s / np.maximum(c, 1)[:, None], 0).astype(np.float32), c
// structure: kernel.seghist 2, kernel.segmap 4, kernel.segred 1
// versions: kernel.seghist 3, kernel.segmap 10, kernel.segred 5
func.func @main(%pts: !array.array<[n][d]f32>, %cs: !array.array<[k][d]f32>) -> (!array.array<[n]index>, !array.array<[k][d]f32>, !array.array<[k]i32>) {
  %v1 = array.dim %cs, 0 : [k][d]f32
  %v2 = array.iota %v1 : [k]index
  %v3 = array.dim %pts, 1 : [n][d]f32
  %v4 = array.iota %v3 : [d]index
  %v5 = arith.constant 3.0e+30 : f32
  %v6 = arith.constant -1 : index
  %v29 = array.map (%v7 in %pts : [n][d]f32) {
    %v19 = array.map (%v8 in %cs : [k][d]f32) {
      %v9 = arith.constant 0.0 : f32
      %v18 = array.redomap (%v10 in %v7 : [d]f32, %v11 in %v8 : [d]f32) init (%v9 : f32) map {
        %v12 = arith.subf %v10, %v11 : f32
        %v13 = arith.subf %v10, %v11 : f32
        %v14 = arith.mulf %v12, %v13 : f32
        array.yield %v14 : f32
      } combine (%v15, %v16) {
        %v17 = arith.addf %v15, %v16 : f32
        array.yield %v17 : f32
      }
      array.yield %v18 : f32
    }
    %v27, %v28 = array.reduce (%v19 : [k]f32, %v2 : [k]index) init (%v5 : f32, %v6 : index) neutral (%v5 : f32, %v6 : index) combine (%v20, %v21, %v22, %v23) {
      %v24 = arith.cmpf olt, %v22, %v20 : f32
      %v25 = arith.select %v24, %v22, %v20 : f32
      %v26 = arith.select %v24, %v23, %v21 : index
      array.yield %v25, %v26 : f32, index
    }
    array.yield %v28 : index
  }
  %v30 = arith.constant 0 : i32
  %v31 = array.dim %cs, 0 : [k][d]f32
  %v32 = array.replicate %v30, [%v31] : i32 -> [k]i32
  %v38 = array.hist (%v33 in %v29 : [n]index) into (%v32 : [k]i32) neutral (%v30 : i32) map {
    %v34 = arith.constant 1 : i32
    array.yield %v33, %v34 : index, i32
  } combine (%v35, %v36) {
    %v37 = arith.addi %v35, %v36 : i32
    array.yield %v37 : i32
  }
  %v39 = arith.constant 0.0 : f32
  %v40 = array.dim %cs, 0 : [k][d]f32
  %v41 = array.replicate %v39, [%v40] : f32 -> [k]f32
  %v50 = array.map (%v42 in %v4 : [d]index) {
    %v49 = array.hist (%v43 in %pts : [n][d]f32, %v44 in %v29 : [n]index) into (%v41 : [k]f32) neutral (%v39 : f32) map {
      %v45 = array.index %v43[%v42] : [d]f32
      array.yield %v44, %v45 : index, f32
    } combine (%v46, %v47) {
      %v48 = arith.addf %v46, %v47 : f32
      array.yield %v48 : f32
    }
    array.yield %v49 : [k]f32
  }
  %v51 = array.rearrange %v50, [1, 0] : [d][k]f32
  %v60 = array.map (%v52 in %v51 : [k][d]f32, %v53 in %v38 : [k]i32) {
    %v59 = array.map (%v54 in %v52 : [d]f32) {
      %v55 = arith.cmpi eq, %v53, %v30 : i32
      %v56 = arith.sitofp %v53 : i32 to f32
      %v57 = arith.divf %v54, %v56 : f32
      %v58 = arith.select %v55, %v39, %v57 : f32
      array.yield %v58 : f32
    }
    array.yield %v59 : [d]f32
  }
  func.return %v29, %v60, %v38 : !array.array<[n]index>, !array.array<[k][d]f32>, !array.array<[k]i32>
}
