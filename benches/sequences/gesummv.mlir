// y = a A x + b B x
func.func @main(%alpha: f32, %beta: f32, %A: !array.array<[n][m]f32>, %B: !array.array<[n][m]f32>, %x: !array.array<[m]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %o = array.map (%row in %A : [n][m]f32) {
    %dot = array.redomap (%a in %row : [m]f32, %b in %x : [m]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %t = array.map (%row in %B : [n][m]f32) {
    %dot = array.redomap (%a in %row : [m]f32, %b in %x : [m]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %y = array.map (%u in %o : [n]f32, %v in %t : [n]f32) {
    %p = arith.mulf %alpha, %u : f32
    %w = arith.mulf %beta, %v : f32
    %s = arith.addf %p, %w : f32
    array.yield %s : f32
  }
  func.return %y : !array.array<[n]f32>
}
