// run
// A small machine: a list of numbers says what happens to an array, a switch in a host loop.
// inputs: [0, 1, 2, 3, 7]; [1, 2, 3, 4]
// inputs: []; [1]
// inputs: [1, 1]; []
// inputs: [2, 1, 0, 3, 1]; random:40
// inputs: [0, 3, 3]; [1, 2]
// error: @array.update@ ... index 2 is out of range
// inputs: [3]; []
// error: @array.update@ ... index 0 is out of range
// numpy: a = xs.copy()
// numpy: for t, o in enumerate(prog):
// numpy:     if o == 0: a = a[::-1].copy()
// numpy:     elif o == 1: a = np.cumsum(a, dtype=np.int32)
// numpy:     elif o == 2: a = a * a - 1
// numpy:     elif o == 3: a[t] = 9
// numpy: a, np.int64(len(prog))
// structure: kernel.segmap 2, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segscan 1
func.func @main(%prog: !array.array<[s]index>, %xs: !array.array<[n]i32>) -> (!array.array<[n]i32>, index) {
  %v1 = array.dim %prog, 0 : [s]index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 1 : index
  %v21 = scf.for %v4 = %v2 to %v1 step %v3 iter_args(%v5 = %xs) -> (!array.array<[n]i32>) {
    %v6 = array.index %prog[%v4] : [s]index
    %v20 = "scf.index_switch"(%v6) <{cases = array<i64: 0, 1, 2, 3>}> ({
      scf.yield %v5 : !array.array<[n]i32>
    }, {
      %v7 = array.reverse %v5, 0 : [n]i32
      scf.yield %v7 : !array.array<[n]i32>
    }, {
      %v8 = arith.constant 0 : i32
      %v12 = array.scan (%v5 : [n]i32) init (%v8 : i32) combine (%v9, %v10) {
        %v11 = arith.addi %v9, %v10 : i32
        array.yield %v11 : i32
      }
      scf.yield %v12 : !array.array<[n]i32>
    }, {
      %v17 = array.map (%v13 in %v5 : [n]i32) {
        %v14 = arith.muli %v13, %v13 : i32
        %v15 = arith.constant 1 : i32
        %v16 = arith.subi %v14, %v15 : i32
        array.yield %v16 : i32
      }
      scf.yield %v17 : !array.array<[n]i32>
    }, {
      %v18 = arith.constant 9 : i32
      %v19 = array.update %v18, %v5[%v4] : i32, [n]i32
      scf.yield %v19 : !array.array<[n]i32>
    }) : (index) -> !array.array<[n]i32>
    scf.yield %v20 : !array.array<[n]i32>
  }
  %v22 = array.dim %prog, 0 : [s]index
  func.return %v21, %v22 : !array.array<[n]i32>, index
}
