// run
// Rows sorted by odd-even transposition: a loop in a map whose carried array is made anew by a map each round.
// inputs: [[3, 1, 2]]
// inputs: random:NxM where N = 0 1 3; M = 0 1 2 5 33
// numpy: np.sort(xss, axis=1)
// structure: kernel.segmap 1
// versions: kernel.segmap 5
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n][m]i32> {
  %v1 = array.dim %xss, 1 : [n][m]i32
  %v2 = array.iota %v1 : [m]index
  %v30 = array.map (%v3 in %xss : [n][m]i32) {
    %v4 = arith.constant 0 : index
    %v5 = arith.constant 1 : index
    %v29 = scf.for %v6 = %v4 to %v1 step %v5 iter_args(%v7 = %v3) -> (!array.array<[m]i32>) {
      %v28 = array.map (%v8 in %v2 : [m]index) {
        %v9 = arith.addi %v8, %v6 : index
        %v10 = arith.constant 2 : index
        %v11 = arith.remsi %v9, %v10 : index
        %v12 = arith.cmpi eq, %v11, %v4 : index
        %v27 = scf.if %v12 -> (i32) {
          %v13 = arith.addi %v8, %v5 : index
          %v14 = arith.cmpi slt, %v13, %v1 : index
          %v19 = scf.if %v14 -> (i32) {
            %v15 = array.index %v7[%v8] : [m]i32
            %v16 = array.index %v7[%v13] : [m]i32
            %v17 = arith.minsi %v15, %v16 : i32
            scf.yield %v17 : i32
          } else {
            %v18 = array.index %v7[%v8] : [m]i32
            scf.yield %v18 : i32
          }
          scf.yield %v19 : i32
        } else {
          %v20 = arith.subi %v8, %v5 : index
          %v21 = arith.cmpi sge, %v20, %v4 : index
          %v26 = scf.if %v21 -> (i32) {
            %v22 = array.index %v7[%v20] : [m]i32
            %v23 = array.index %v7[%v8] : [m]i32
            %v24 = arith.maxsi %v22, %v23 : i32
            scf.yield %v24 : i32
          } else {
            %v25 = array.index %v7[%v8] : [m]i32
            scf.yield %v25 : i32
          }
          scf.yield %v26 : i32
        }
        array.yield %v27 : i32
      }
      scf.yield %v28 : !array.array<[m]i32>
    }
    array.yield %v29 : [m]i32
  }
  func.return %v30 : !array.array<[n][m]i32>
}
