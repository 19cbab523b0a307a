// run
// q = A p, s = A^T r: one reduction along the rows and one along the columns of a matrix, in one traversal of it.
// inputs: random:NxM; random:M; random:N where N = 0 1 31 33 67; M = 0 1 32 33 131
// inputs: random:300x517; random:517; random:300
// numpy: A @ p, A.T @ r
// structure: kernel.segred 2
// versions: kernel.segmap 4, kernel.segred 4
func.func @main(%A: !array.array<[n][m]f32>, %p: !array.array<[m]f32>, %r: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[m]f32>) {
  %zero = arith.constant 0.0 : f32
  %q = array.map (%row in %A : [n][m]f32) {
    %dot = array.redomap (%a in %row : [m]f32, %b in %p : [m]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %At = array.rearrange %A, [1, 0] : [n][m]f32
  %s = array.map (%row in %At : [m][n]f32) {
    %dot = array.redomap (%a in %row : [n]f32, %b in %r : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  func.return %q, %s : !array.array<[n]f32>, !array.array<[m]f32>
}
