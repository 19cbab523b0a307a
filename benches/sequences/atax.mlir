// y = A^T (A x)
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
