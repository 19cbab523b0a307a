// run
// B = A + u1 v1^T + u2 v2^T, x = b B^T y + z, w = a B x: a matrix that is made, stored and combined along its columns; then, behind a barrier, along its rows.
// inputs: 2; 3; random:NxM; random:N; random:M; random:N; random:M; random:N; random:M where N = 0 1 31 67; M = 0 1 33 131
// inputs: 2; 3; random:300x517; random:300; random:517; random:300; random:517; random:300; random:517
// numpy: A + np.outer(u1, v1) + np.outer(u2, v2), beta * (A + np.outer(u1, v1) + np.outer(u2, v2)).T @ y + z, alpha * (A + np.outer(u1, v1) + np.outer(u2, v2)) @ (beta * (A + np.outer(u1, v1) + np.outer(u2, v2)).T @ y + z)
// structure: kernel.segmap 3, kernel.segred 2
// versions: kernel.segmap 7, kernel.segred 4
func.func @main(%alpha: f32, %beta: f32, %A: !array.array<[n][m]f32>, %u1: !array.array<[n]f32>, %v1: !array.array<[m]f32>, %u2: !array.array<[n]f32>, %v2: !array.array<[m]f32>, %y: !array.array<[n]f32>, %z: !array.array<[m]f32>) -> (!array.array<[n][m]f32>, !array.array<[m]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %B = array.map (%row in %A : [n][m]f32, %c1 in %u1 : [n]f32, %c2 in %u2 : [n]f32) {
    %r = array.map (%a in %row : [m]f32, %d1 in %v1 : [m]f32, %d2 in %v2 : [m]f32) {
      %p1 = arith.mulf %c1, %d1 : f32
      %p2 = arith.mulf %c2, %d2 : f32
      %s1 = arith.addf %a, %p1 : f32
      %s2 = arith.addf %s1, %p2 : f32
      array.yield %s2 : f32
    }
    array.yield %r : [m]f32
  }
  %Bt = array.rearrange %B, [1, 0] : [n][m]f32
  %t = array.map (%row in %Bt : [m][n]f32) {
    %dot = array.redomap (%a in %row : [n]f32, %b in %y : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %x = array.map (%u in %t : [m]f32, %v in %z : [m]f32) {
    %p = arith.mulf %beta, %u : f32
    %s = arith.addf %p, %v : f32
    array.yield %s : f32
  }
  %o = array.map (%row in %B : [n][m]f32) {
    %dot = array.redomap (%a in %row : [m]f32, %b in %x : [m]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %w = array.map (%u in %o : [n]f32) {
    %p = arith.mulf %alpha, %u : f32
    array.yield %p : f32
  }
  func.return %B, %x, %w : !array.array<[n][m]f32>, !array.array<[m]f32>, !array.array<[n]f32>
}
