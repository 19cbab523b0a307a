// run
// A branch on data in a map gives a part of one array or of another; and one on the host with views of different kinds.
// inputs: [[1, 2], [-5, 1]]; [7, 8]; true
// inputs: [[1, 2, 3], [-5, 1, 1]]; [7, 8, 9]; false
// inputs: random:NxM; random:M; true where N = 0 1 9; M = 0 1 40
// numpy: n, m = x.shape
// numpy: o = np.array([((r[::-1] if r.sum(dtype=np.int32) > 0 else y * 3) * np.arange(m)).sum(dtype=np.int32) for r in x], np.int32) if n else np.zeros(0, np.int32)
// numpy: o, (y[::2][:m // 2] if w else np.concatenate([y, y])) + np.int32(1)
// versions: kernel.segmap 6, kernel.segred 6
// structure: kernel.segmap 4, kernel.segred 1
func.func @main(%x: !array.array<[n][m]i32>, %y: !array.array<[m]i32>, %w: i1) -> (!array.array<[n]i32>, !array.array<[?]i32>) {
  %v1 = array.dim %y, 0 : [m]i32
  %v23 = array.map (%v2 in %x : [n][m]i32) {
    %v3 = arith.constant 0 : i32
    %v7 = array.reduce (%v2 : [m]i32) init (%v3 : i32) combine (%v4, %v5) {
      %v6 = arith.addi %v4, %v5 : i32
      array.yield %v6 : i32
    }
    %v8 = arith.cmpi sgt, %v7, %v3 : i32
    %v14 = scf.if %v8 -> (!array.array<[m]i32>) {
      %v9 = array.reverse %v2, 0 : [m]i32
      scf.yield %v9 : !array.array<[m]i32>
    } else {
      %v13 = array.map (%v10 in %y : [m]i32) {
        %v11 = arith.constant 3 : i32
        %v12 = arith.muli %v10, %v11 : i32
        array.yield %v12 : i32
      }
      scf.yield %v13 : !array.array<[m]i32>
    }
    %v15 = array.iota %v1 : [m]i32
    %v22 = array.redomap (%v16 in %v14 : [m]i32, %v17 in %v15 : [m]i32) init (%v3 : i32) map {
      %v18 = arith.muli %v16, %v17 : i32
      array.yield %v18 : i32
    } combine (%v19, %v20) {
      %v21 = arith.addi %v19, %v20 : i32
      array.yield %v21 : i32
    }
    array.yield %v22 : i32
  }
  %v29 = scf.if %w -> (!array.array<[?]i32>) {
    %v24 = arith.constant 2 : index
    %v25 = arith.divui %v1, %v24 : index
    %v26 = arith.constant 0 : index
    %v27 = array.slice %y[%v26] sizes [%v25] strides [%v24] : [m]i32 -> [?]i32
    scf.yield %v27 : !array.array<[?]i32>
  } else {
    %v28 = array.concat %y, %y : [m]i32, [m]i32 -> [?]i32
    scf.yield %v28 : !array.array<[?]i32>
  }
  %v33 = array.map (%v30 in %v29 : [?]i32) {
    %v31 = arith.constant 1 : i32
    %v32 = arith.addi %v30, %v31 : i32
    array.yield %v32 : i32
  }
  func.return %v23, %v33 : !array.array<[n]i32>, !array.array<[?]i32>
}
