// run
// Seven points of a volume, edges padded: parts of a padded array added.
// inputs: random:AxBxC where A = 1 3; B = 1 4; C = 1 33
// inputs: random:0x3x3
// numpy: q = np.pad(v, 1)
// numpy: s = lambda i, j, k: q[1 + i:q.shape[0] - 1 + i, 1 + j:q.shape[1] - 1 + j, 1 + k:q.shape[2] - 1 + k]
// numpy: -6 * v + s(-1, 0, 0) + s(1, 0, 0) + s(0, -1, 0) + s(0, 1, 0) + s(0, 0, -1) + s(0, 0, 1)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%v: !array.array<[a][b][c]f64>) -> !array.array<[a][b][c]f64> {
  %v1 = arith.constant 0.0 : f64
  %v2 = arith.constant 1 : index
  %v3 = array.pad %v, %v1 low [%v2, %v2, %v2] high [%v2, %v2, %v2] : [a][b][c]f64 -> [?][?][?]f64
  %v4 = array.dim %v, 0 : [a][b][c]f64
  %v5 = array.dim %v, 1 : [a][b][c]f64
  %v6 = array.dim %v, 2 : [a][b][c]f64
  %v7 = array.slice %v3[%v2, %v2, %v2] sizes [%v4, %v5, %v6] strides [%v2, %v2, %v2] : [?][?][?]f64 -> [a][b][c]f64
  %v8 = arith.constant 0 : index
  %v9 = array.slice %v3[%v8, %v2, %v2] sizes [%v4, %v5, %v6] strides [%v2, %v2, %v2] : [?][?][?]f64 -> [a][b][c]f64
  %v10 = arith.constant 2 : index
  %v11 = array.slice %v3[%v10, %v2, %v2] sizes [%v4, %v5, %v6] strides [%v2, %v2, %v2] : [?][?][?]f64 -> [a][b][c]f64
  %v12 = array.slice %v3[%v2, %v8, %v2] sizes [%v4, %v5, %v6] strides [%v2, %v2, %v2] : [?][?][?]f64 -> [a][b][c]f64
  %v13 = array.slice %v3[%v2, %v10, %v2] sizes [%v4, %v5, %v6] strides [%v2, %v2, %v2] : [?][?][?]f64 -> [a][b][c]f64
  %v14 = array.slice %v3[%v2, %v2, %v8] sizes [%v4, %v5, %v6] strides [%v2, %v2, %v2] : [?][?][?]f64 -> [a][b][c]f64
  %v15 = array.slice %v3[%v2, %v2, %v10] sizes [%v4, %v5, %v6] strides [%v2, %v2, %v2] : [?][?][?]f64 -> [a][b][c]f64
  %v47 = array.map (%v16 in %v7 : [a][b][c]f64, %v17 in %v9 : [a][b][c]f64, %v18 in %v11 : [a][b][c]f64, %v19 in %v12 : [a][b][c]f64, %v20 in %v13 : [a][b][c]f64, %v21 in %v14 : [a][b][c]f64, %v22 in %v15 : [a][b][c]f64) {
    %v46 = array.map (%v23 in %v16 : [b][c]f64, %v24 in %v17 : [b][c]f64, %v25 in %v18 : [b][c]f64, %v26 in %v19 : [b][c]f64, %v27 in %v20 : [b][c]f64, %v28 in %v21 : [b][c]f64, %v29 in %v22 : [b][c]f64) {
      %v45 = array.map (%v30 in %v23 : [c]f64, %v31 in %v24 : [c]f64, %v32 in %v25 : [c]f64, %v33 in %v26 : [c]f64, %v34 in %v27 : [c]f64, %v35 in %v28 : [c]f64, %v36 in %v29 : [c]f64) {
        %v37 = arith.constant -6.0 : f64
        %v38 = arith.mulf %v30, %v37 : f64
        %v39 = arith.addf %v38, %v31 : f64
        %v40 = arith.addf %v39, %v32 : f64
        %v41 = arith.addf %v40, %v33 : f64
        %v42 = arith.addf %v41, %v34 : f64
        %v43 = arith.addf %v42, %v35 : f64
        %v44 = arith.addf %v43, %v36 : f64
        array.yield %v44 : f64
      }
      array.yield %v45 : [c]f64
    }
    array.yield %v46 : [b][c]f64
  }
  func.return %v47 : !array.array<[a][b][c]f64>
}
