// run
// A picture halved by means of two by two pixels, bytes taken as unsigned, twice in a row.
// inputs: [[1, -1, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4], [-128, 127, 0, 9]]
// inputs: random:NxM where N = 3 9; M = 1 64
// numpy: def half(a):
// numpy:     h, w = a.shape[0] // 2, a.shape[1] // 2
// numpy:     return (a[:2 * h, :2 * w].reshape(h, 2, w, 2).transpose(0, 2, 1, 3).reshape(h, w, 4).view(np.uint8).astype(np.int32).sum(2) // 4).astype(np.uint8).view(np.int8)
// numpy: half(half(im))
// structure: kernel.segmap 2
// versions: kernel.segmap 6, kernel.segred 4
func.func @main(%im: !array.array<[h][w]i8>) -> !array.array<[?][?]i8> {
  %v1 = array.dim %im, 0 : [h][w]i8
  %v2 = arith.constant 2 : index
  %v3 = arith.divui %v1, %v2 : index
  %v4 = array.dim %im, 1 : [h][w]i8
  %v5 = arith.divui %v4, %v2 : index
  %v6 = arith.muli %v3, %v2 : index
  %v7 = arith.muli %v5, %v2 : index
  %v8 = arith.constant 0 : index
  %v9 = arith.constant 1 : index
  %v10 = array.slice %im[%v8, %v8] sizes [%v6, %v7] strides [%v9, %v9] : [h][w]i8 -> [?][?]i8
  %v11 = array.reshape %v10, [%v3, %v2, %v5, %v2] : [?][?]i8 -> [?][2][?][2]i8
  %v12 = array.rearrange %v11, [0, 2, 1, 3] : [?][2][?][2]i8
  %v28 = array.map (%v13 in %v12 : [?][?][2][2]i8) {
    %v27 = array.map (%v14 in %v13 : [?][2][2]i8) {
      %v15 = arith.constant 4 : index
      %v16 = array.reshape %v14, [%v15] : [2][2]i8 -> [4]i8
      %v17 = arith.constant 0 : i32
      %v23 = array.redomap (%v18 in %v16 : [4]i8) init (%v17 : i32) map {
        %v19 = arith.extui %v18 : i8 to i32
        array.yield %v19 : i32
      } combine (%v20, %v21) {
        %v22 = arith.addi %v20, %v21 : i32
        array.yield %v22 : i32
      }
      %v24 = arith.constant 4 : i32
      %v25 = arith.divui %v23, %v24 : i32
      %v26 = arith.trunci %v25 : i32 to i8
      array.yield %v26 : i8
    }
    array.yield %v27 : [?]i8
  }
  %v29 = array.dim %v28, 0 : [?][?]i8
  %v30 = arith.divui %v29, %v2 : index
  %v31 = array.dim %v28, 1 : [?][?]i8
  %v32 = arith.divui %v31, %v2 : index
  %v33 = arith.muli %v30, %v2 : index
  %v34 = arith.muli %v32, %v2 : index
  %v35 = array.slice %v28[%v8, %v8] sizes [%v33, %v34] strides [%v9, %v9] : [?][?]i8 -> [?][?]i8
  %v36 = array.reshape %v35, [%v30, %v2, %v32, %v2] : [?][?]i8 -> [?][2][?][2]i8
  %v37 = array.rearrange %v36, [0, 2, 1, 3] : [?][2][?][2]i8
  %v53 = array.map (%v38 in %v37 : [?][?][2][2]i8) {
    %v52 = array.map (%v39 in %v38 : [?][2][2]i8) {
      %v40 = arith.constant 4 : index
      %v41 = array.reshape %v39, [%v40] : [2][2]i8 -> [4]i8
      %v42 = arith.constant 0 : i32
      %v48 = array.redomap (%v43 in %v41 : [4]i8) init (%v42 : i32) map {
        %v44 = arith.extui %v43 : i8 to i32
        array.yield %v44 : i32
      } combine (%v45, %v46) {
        %v47 = arith.addi %v45, %v46 : i32
        array.yield %v47 : i32
      }
      %v49 = arith.constant 4 : i32
      %v50 = arith.divui %v48, %v49 : i32
      %v51 = arith.trunci %v50 : i32 to i8
      array.yield %v51 : i8
    }
    array.yield %v52 : [?]i8
  }
  func.return %v53 : !array.array<[?][?]i8>
}
