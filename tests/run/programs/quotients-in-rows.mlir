// run
// Integer quotients by the row's last number, remainder by its length, ceiling by a parameter.
// inputs: [[7, -2], [9, 3]]; 7
// inputs: [[1]]; -3
// inputs: [[5]]; 1
// inputs: [[7, 0]]; 1
// error: @arith.divsi@ ... divides by zero
// inputs: [[7, 1]]; 0
// error: @arith.ceildivsi@ ... divides by zero
// inputs: [[7, 3], [1, 0]]; 5
// error: @arith.divsi@ ... divides by zero
// inputs: random:2x0; 5
// error: @array.index@ ... index -1 is out of range
// numpy: l = x[:, -1:]
// numpy: q = (np.sign(x.astype(np.int64) * l) * (abs(x.astype(np.int64)) // abs(l.astype(np.int64)))).astype(np.int32)
// numpy: s = np.fmod(q.sum(1, dtype=np.int32), x.shape[1])
// numpy: q, s, np.int32(-(-1000 // d))
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
// shapes: 5
func.func @main(%x: !array.array<[n][m]i32>, %d: i32) -> (!array.array<[n][m]i32>, !array.array<[n]i32>, i32) {
  %v1 = array.dim %x, 1 : [n][m]i32
  %v16, %v17 = array.map (%v2 in %x : [n][m]i32) {
    %v3 = arith.constant 1 : index
    %v4 = arith.subi %v1, %v3 : index
    %v5 = array.index %v2[%v4] : [m]i32
    %v8 = array.map (%v6 in %v2 : [m]i32) {
      %v7 = arith.divsi %v6, %v5 : i32
      array.yield %v7 : i32
    }
    %v9 = arith.constant 0 : i32
    %v13 = array.reduce (%v8 : [m]i32) init (%v9 : i32) combine (%v10, %v11) {
      %v12 = arith.addi %v10, %v11 : i32
      array.yield %v12 : i32
    }
    %v14 = arith.index_cast %v1 : index to i32
    %v15 = arith.remsi %v13, %v14 : i32
    array.yield %v8, %v15 : [m]i32, i32
  }
  %v18 = arith.constant 1000 : i32
  %v19 = arith.ceildivsi %v18, %d : i32
  func.return %v16, %v17, %v19 : !array.array<[n][m]i32>, !array.array<[n]i32>, i32
}
