// run
// A scan whose elements are rows, then a reduction of rows with a start row.
// inputs: [[1, 2], [3, -4]]; [0, 0]
// inputs: random:NxM; random:M where N = 0 1 33; M = 0 1 5
// numpy: c = np.cumsum(x, 0, dtype=np.int32)
// numpy: c, np.maximum(c.max(0, initial=-2**31), s).astype(np.int32)
// structure: kernel.segmap 2, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 4, kernel.segred 2, kernel.segscan 1
func.func @main(%x: !array.array<[n][m]i32>, %s: !array.array<[m]i32>) -> (!array.array<[n][m]i32>, !array.array<[m]i32>) {
  %v1 = arith.constant 0 : i32
  %v2 = array.dim %x, 1 : [n][m]i32
  %v3 = array.replicate %v1, [%v2] : i32 -> [m]i32
  %v10 = array.scan (%x : [n][m]i32) init (%v3 : [m]i32) combine (%v4, %v5) {
    %v9 = array.map (%v6 in %v4 : [m]i32, %v7 in %v5 : [m]i32) {
      %v8 = arith.addi %v6, %v7 : i32
      array.yield %v8 : i32
    }
    array.yield %v9 : [m]i32
  }
  %v17 = array.reduce (%v10 : [n][m]i32) init (%s : [m]i32) combine (%v11, %v12) {
    %v16 = array.map (%v13 in %v11 : [m]i32, %v14 in %v12 : [m]i32) {
      %v15 = arith.maxsi %v13, %v14 : i32
      array.yield %v15 : i32
    }
    array.yield %v16 : [m]i32
  }
  func.return %v10, %v17 : !array.array<[n][m]i32>, !array.array<[m]i32>
}
