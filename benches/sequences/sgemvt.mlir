// x = b A^T y + z, w = a A x
func.func @main(%alpha: f32, %beta: f32, %A: !array.array<[n][m]f32>, %y: !array.array<[n]f32>, %z: !array.array<[m]f32>) -> (!array.array<[m]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %At = array.rearrange %A, [1, 0] : [n][m]f32
  %t = array.map (%row in %At : [m][n]f32) {
    %dot = array.redomap (%a in %row : [n]f32, %b in %y : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %x = array.map (%u in %t : [m]f32, %v in %z : [m]f32) {
    %p = arith.mulf %beta, %u : f32
    %s = arith.addf %p, %v : f32
    array.yield %s : f32
  }
  %o = array.map (%row in %A : [n][m]f32) {
    %dot = array.redomap (%a in %row : [m]f32, %b in %x : [m]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %w = array.map (%u in %o : [n]f32) {
    %p = arith.mulf %alpha, %u : f32
    array.yield %p : f32
  }
  func.return %x, %w : !array.array<[m]f32>, !array.array<[n]f32>
}
