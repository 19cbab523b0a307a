// run
// Rows seen as tables whose heights data says, transposed, their first columns added.
// inputs: [[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]]; [2, 3]
// inputs: random:3x12; [1, 12, 4]
// inputs: [[1, 2, 3]]; [0]
// error: @arith.divsi@ ... divides by zero
// inputs: [[1, 2, 3], [1, 2, 3]]; [1, 2]
// error: @array.reshape@ ... the 3 elements of [m]i32
// inputs: [[1, 2]]; [-1]
// error: @array.reshape@ ... a size cannot be -1
// numpy: np.array([(r.reshape(h, -1)[:, 0] * (np.arange(h) + 1)).sum() for r, h in zip(xss, a)], np.int32)
// structure: kernel.segmap 1
// shapes: 1
// versions: kernel.segmap 5, kernel.segred 1, kernel.segscan 3
func.func @main(%xss: !array.array<[n][m]i32>, %a: !array.array<[n]index>) -> !array.array<[n]i32> {
  %v1 = array.dim %xss, 1 : [n][m]i32
  %v20 = array.map (%v2 in %xss : [n][m]i32, %v3 in %a : [n]index) {
    %v4 = arith.divsi %v1, %v3 : index
    %v5 = array.reshape %v2, [%v3, %v4] : [m]i32 -> [?][?]i32
    %v6 = array.rearrange %v5, [1, 0] : [?][?]i32
    %v7 = arith.constant 0 : index
    %v8 = array.index %v6[%v7] : [?][?]i32
    %v9 = array.iota %v3 : [?]i32
    %v10 = arith.constant 0 : i32
    %v19 = array.redomap (%v11 in %v8 : [?]i32, %v12 in %v9 : [?]i32) init (%v10 : i32) map {
      %v13 = arith.constant 1 : i32
      %v14 = arith.addi %v12, %v13 : i32
      %v15 = arith.muli %v11, %v14 : i32
      array.yield %v15 : i32
    } combine (%v16, %v17) {
      %v18 = arith.addi %v16, %v17 : i32
      array.yield %v18 : i32
    }
    array.yield %v19 : i32
  }
  func.return %v20 : !array.array<[n]i32>
}
