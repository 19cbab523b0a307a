// run
// A matrix cut into blocks of two by two by reshape and rearrange, blocks transposed and put back.
// inputs: [[1, 2], [3, 4]]
// inputs: random:NxM where N = 0 2 6; M = 2 34
// inputs: random:4x0
// inputs: [[1, 2, 3], [4, 5, 6]]
// error: @array.reshape@ ... are not as many as the new sizes have
// inputs: [[1, 2]]
// error: @array.reshape@ ... elements of
// numpy: a, b = x.shape
// numpy: x.reshape(a // 2, 2, b // 2, 2).transpose(0, 3, 2, 1).reshape(a, b)
// shapes: 3
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%x: !array.array<[n][m]i32>) -> !array.array<[?][?]i32> {
  %v1 = array.dim %x, 0 : [n][m]i32
  %v2 = array.dim %x, 1 : [n][m]i32
  %v3 = arith.constant 2 : index
  %v4 = arith.divui %v1, %v3 : index
  %v5 = arith.divui %v2, %v3 : index
  %v6 = array.reshape %x, [%v4, %v3, %v5, %v3] : [n][m]i32 -> [?][2][?][2]i32
  %v7 = array.rearrange %v6, [0, 2, 1, 3] : [?][2][?][2]i32
  %v12 = array.map (%v8 in %v7 : [?][?][2][2]i32) {
    %v11 = array.map (%v9 in %v8 : [?][2][2]i32) {
      %v10 = array.rearrange %v9, [1, 0] : [2][2]i32
      array.yield %v10 : [2][2]i32
    }
    array.yield %v11 : [?][2][2]i32
  }
  %v13 = array.rearrange %v12, [0, 2, 1, 3] : [?][?][2][2]i32
  %v14 = array.reshape %v13, [%v1, %v2] : [?][2][?][2]i32 -> [?][?]i32
  func.return %v14 : !array.array<[?][?]i32>
}
