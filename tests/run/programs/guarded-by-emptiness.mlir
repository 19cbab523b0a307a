// run
// The body of a map over no elements is not computed: a division, an index, a size; on the host it is.
// inputs: [1, 2]; 5
// inputs: []; 0
// inputs: []; -7
// inputs: [1]; 1
// inputs: []; 4
// inputs: [1]; 0
// error: @arith.divsi@ ... divides by zero
// inputs: [1]; -7
// error: @array.replicate@ ... a size cannot be -8
// numpy: xs + np.int32((100 // k if k else 0) * (k - 1))
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 1, kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>, %k: index) -> !array.array<[n]i32> {
  %v14 = array.map (%v1 in %xs : [n]i32) {
    %v2 = arith.index_cast %k : index to i32
    %v3 = arith.constant 100 : i32
    %v4 = arith.divsi %v3, %v2 : i32
    %v5 = arith.constant 1 : index
    %v6 = arith.subi %k, %v5 : index
    %v7 = array.replicate %v4, [%v6] : i32 -> [?]i32
    %v8 = arith.constant 0 : i32
    %v12 = array.reduce (%v7 : [?]i32) init (%v8 : i32) combine (%v9, %v10) {
      %v11 = arith.addi %v9, %v10 : i32
      array.yield %v11 : i32
    }
    %v13 = arith.addi %v1, %v12 : i32
    array.yield %v13 : i32
  }
  func.return %v14 : !array.array<[n]i32>
}
