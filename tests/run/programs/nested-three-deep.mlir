// run
// Indices three maps deep, of data; stops in one row of one matrix.
// inputs: [[[1, 0], [0, 0]], [[1, 1], [0, 1]]]
// inputs: random:0x2x2
// inputs: [[[0]]]
// inputs: [[[1, 0], [0, 0]], [[1, 1], [0, 2]]]
// error: @array.index@ ... index 2 is out of range
// inputs: [[[2, 2, 2], [0, 1, 0]]]
// error: @array.index %v2[@ ... index 2 is out of range for dimension 0 of [b][c]index
// inputs: [[[1, -1], [0, 0]]]
// error: @array.index@ ... index -1 is out of range
// numpy: np.array([[sum(r[i] + 10 * len(r) for i in r) for r in m] for m in xs], np.int64).reshape(xs.shape[:2])
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xs: !array.array<[a][b][c]index>) -> !array.array<[a][b]index> {
  %v1 = arith.constant 0 : index
  %v17 = array.map (%v2 in %xs : [a][b][c]index) {
    %v16 = array.map (%v3 in %v2 : [b][c]index) {
      %v11 = array.map (%v4 in %v3 : [c]index) {
        %v5 = array.index %v3[%v4] : [c]index
        %v6 = array.index %v2[%v4] : [b][c]index
        %v7 = array.dim %v6, 0 : [c]index
        %v8 = arith.constant 10 : index
        %v9 = arith.muli %v7, %v8 : index
        %v10 = arith.addi %v5, %v9 : index
        array.yield %v10 : index
      }
      %v15 = array.reduce (%v11 : [c]index) init (%v1 : index) combine (%v12, %v13) {
        %v14 = arith.addi %v12, %v13 : index
        array.yield %v14 : index
      }
      array.yield %v15 : index
    }
    array.yield %v16 : [b]index
  }
  func.return %v17 : !array.array<[a][b]index>
}
