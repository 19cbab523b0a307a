// run
// Rows of two matrices of other widths, of which the program makes one nest, and the columns of each: two kernels that share it.
// inputs: random:NxM; random:NxK; random:M; random:K; random:N where N = 1 33 131; M = 1 67; K = 0 259
// numpy: A @ p, B @ t, A.T @ r, B.T @ r
// structure: kernel.segred 4
// versions: kernel.segmap 6, kernel.segred 8
func.func @main(%A: !array.array<[n][m]f32>, %B: !array.array<[n][k]f32>, %p: !array.array<[m]f32>, %t: !array.array<[k]f32>, %r: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[m]f32>, !array.array<[k]f32>) {
  %zero = arith.constant 0.0 : f32
  %q, %u = array.map (%a in %A : [n][m]f32, %b in %B : [n][k]f32) {
    %c = array.redomap (%x in %a : [m]f32, %y in %p : [m]f32) init (%zero : f32) map arith.mulf combine arith.addf
    %d = array.redomap (%x in %b : [k]f32, %y in %t : [k]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %c, %d : f32, f32
  }
  %At = array.rearrange %A, [1, 0] : [n][m]f32
  %s = array.map (%row in %At : [m][n]f32) {
    %c = array.redomap (%a in %row : [n]f32, %b in %r : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %c : f32
  }
  %Bt = array.rearrange %B, [1, 0] : [n][k]f32
  %v = array.map (%row in %Bt : [k][n]f32) {
    %c = array.redomap (%a in %row : [n]f32, %b in %r : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %c : f32
  }
  func.return %q, %u, %s, %v : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[m]f32>, !array.array<[k]f32>
}
