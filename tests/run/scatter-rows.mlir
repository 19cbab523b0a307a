// run
// Rows of two shapes and scalars go to where one index says: a kernel each, fused with nothing.
// inputs: random:N; random:NxK; random:NxL where N = 0 1 31 32 33 1023 1025; K = 3; L = 8
// structure: kernel.scatter 3, kernel.segmap 3
// versions: kernel.scatter 3, kernel.segmap 3
func.func @main(%xs: !array.array<[n]f32>, %rows: !array.array<[n][k]f32>, %wider: !array.array<[n][l]f32>) -> (!array.array<[n][k]f32>, !array.array<[n][l]f32>, !array.array<[n]f32>) {
  %n = array.dim %xs, 0 : [n]f32
  %k = array.dim %rows, 1 : [n][k]f32
  %l = array.dim %wider, 1 : [n][l]f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %is = array.iota %n : [n]index
  %narrow_none = array.replicate %zero, [%n, %k] : f32 -> [n][k]f32
  %wide_none = array.replicate %zero, [%n, %l] : f32 -> [n][l]f32
  %none = array.replicate %zero, [%n] : f32 -> [n]f32
  %narrow = array.scatter (%i in %is : [n]index, %row in %rows : [n][k]f32) into (%narrow_none : [n][k]f32) {
    %next = arith.addi %i, %one : index
    array.yield %next, %row : index, !array.array<[k]f32>
  }
  %wide = array.scatter (%i in %is : [n]index, %row in %wider : [n][l]f32) into (%wide_none : [n][l]f32) {
    %next = arith.addi %i, %one : index
    array.yield %next, %row : index, !array.array<[l]f32>
  }
  %single = array.scatter (%i in %is : [n]index, %x in %xs : [n]f32) into (%none : [n]f32) {
    %next = arith.addi %i, %one : index
    array.yield %next, %x : index, f32
  }
  func.return %narrow, %wide, %single : !array.array<[n][k]f32>, !array.array<[n][l]f32>, !array.array<[n]f32>
}
