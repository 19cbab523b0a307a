// run
// Reverse, part, pad, reshape, rearrange, concat and gather in a row, read backwards in a map.
// inputs: [1, 2, 3]; [0, 4]
// inputs: []; [0]
// inputs: random:N; [2, 1, 0] where N = 2 33
// inputs: [1, 2]; [4]
// error: @array.gather@ ... index 4 is out of range
// inputs: []; [1]
// error: @array.gather@ ... index 1 is out of range
// inputs: [1, 2]; [-1, 0]
// error: @array.gather@ ... index -1 is out of range
// numpy: a = np.pad(xs[::-1], (2, 1), constant_values=7)[1:2 + len(xs)]
// numpy: b = np.concatenate([a, xs, a[::-1]])
// numpy: d = b[::-1][::2][:len(b) // 2]
// numpy: d[::-1] * 2, d[at]
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%xs: !array.array<[n]i32>, %at: !array.array<[k]index>) -> (!array.array<[?]i32>, !array.array<[k]i32>) {
  %v1 = array.dim %xs, 0 : [n]i32
  %v2 = array.reverse %xs, 0 : [n]i32
  %v3 = arith.constant 7 : i32
  %v4 = arith.constant 2 : index
  %v5 = arith.constant 1 : index
  %v6 = array.pad %v2, %v3 low [%v4] high [%v5] : [n]i32 -> [?]i32
  %v7 = arith.addi %v1, %v5 : index
  %v8 = array.slice %v6[%v5] sizes [%v7] strides [%v5] : [?]i32 -> [?]i32
  %v9 = array.reverse %v8, 0 : [?]i32
  %v10 = array.concat %v8, %xs, %v9 : [?]i32, [n]i32, [?]i32 -> [?]i32
  %v11 = array.dim %v10, 0 : [?]i32
  %v12 = array.reshape %v10, [%v5, %v11] : [?]i32 -> [1][?]i32
  %v13 = array.rearrange %v12, [1, 0] : [1][?]i32
  %v14 = array.reshape %v13, [%v11] : [?][1]i32 -> [?]i32
  %v15 = arith.subi %v11, %v5 : index
  %v16 = arith.divui %v11, %v4 : index
  %v17 = arith.constant -2 : index
  %v18 = array.slice %v14[%v15] sizes [%v16] strides [%v17] : [?]i32 -> [?]i32
  %v19 = array.gather %v18[%at] : [?]i32, [k]index
  %v20 = array.dim %v18, 0 : [?]i32
  %v21 = array.iota %v20 : [?]index
  %v29 = array.map (%v22 in %v21 : [?]index) {
    %v23 = array.dim %v18, 0 : [?]i32
    %v24 = arith.subi %v23, %v5 : index
    %v25 = arith.subi %v24, %v22 : index
    %v26 = array.index %v18[%v25] : [?]i32
    %v27 = arith.constant 2 : i32
    %v28 = arith.muli %v26, %v27 : i32
    array.yield %v28 : i32
  }
  func.return %v29, %v19 : !array.array<[?]i32>, !array.array<[k]i32>
}
