// run
// Gathers of rows by gathered indices, two deep, parts of them reversed; each index may be out of range.
// inputs: [[1.0, 2.0], [3.0, 4.0]]; [1, 0]; [0, 1, 1]
// inputs: [[1.0]]; [0]; []
// inputs: random:5xM; [4, 2, 0]; [2, 1, 0, 0] where M = 0 1 33
// inputs: [[1.0], [2.0]]; [1, 2]; [0, 1]
// error: @array.gather %xs@ ... index 2 is out of range
// inputs: [[1.0], [2.0]]; [1, 0]; [0, 2]
// error: @array.gather %ys@ ... index 2 is out of range
// inputs: [[1.0], [2.0]]; [1, -1]; [0, 1]
// error: @array.gather %xs@ ... index -1 is out of range
// numpy: xs[ys[zs]], xs[::-1][ys[zs]][:len(zs) // 2][:, ::-1]
// structure: kernel.segmap 4
// versions: kernel.segmap 4
// shapes: 5
func.func @main(%xs: !array.array<[n][m]f32>, %ys: !array.array<[k]index>, %zs: !array.array<[l]index>) -> (!array.array<[l][m]f32>, !array.array<[?][?]f32>) {
  %v1 = array.gather %ys[%zs] : [k]index, [l]index
  %v2 = array.gather %xs[%v1] : [n][m]f32, [l]index
  %v3 = array.reverse %xs, 0 : [n][m]f32
  %v4 = array.gather %v3[%v1] : [n][m]f32, [l]index
  %v5 = array.dim %zs, 0 : [l]index
  %v6 = arith.constant 2 : index
  %v7 = arith.divui %v5, %v6 : index
  %v8 = array.dim %xs, 1 : [n][m]f32
  %v9 = arith.constant 0 : index
  %v10 = arith.constant 1 : index
  %v11 = array.slice %v4[%v9, %v9] sizes [%v7, %v8] strides [%v10, %v10] : [l][m]f32 -> [?][?]f32
  %v12 = array.reverse %v11, 1 : [?][?]f32
  func.return %v2, %v12 : !array.array<[l][m]f32>, !array.array<[?][?]f32>
}
