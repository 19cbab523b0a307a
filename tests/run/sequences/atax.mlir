// run
// y = A^T (A x): the sums of the rows are needed by those of the columns, so they are not made in one traversal.
// inputs: random:NxM; random:M where N = 0 1 33 67; M = 0 1 33 131
// numpy: A.T @ (A @ x)
// structure: kernel.segred 2
// versions: kernel.segmap 4, kernel.segred 4
func.func @main(%A: !array.array<[n][m]f32>, %x: !array.array<[m]f32>) -> !array.array<[m]f32> {
  %zero = arith.constant 0.0 : f32
  %t = array.map (%row in %A : [n][m]f32) {
    %dot = array.redomap (%a in %row : [m]f32, %b in %x : [m]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %At = array.rearrange %A, [1, 0] : [n][m]f32
  %y = array.map (%row in %At : [m][n]f32) {
    %dot = array.redomap (%a in %row : [n]f32, %b in %t : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  func.return %y : !array.array<[m]f32>
}
