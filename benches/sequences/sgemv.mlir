// z = a A x + b y
func.func @main(%alpha: f32, %beta: f32, %A: !array.array<[n][m]f32>, %x: !array.array<[m]f32>, %y: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %t = array.map (%row in %A : [n][m]f32) {
    %dot = array.redomap (%a in %row : [m]f32, %b in %x : [m]f32) init (%zero : f32) map arith.mulf combine arith.addf
    array.yield %dot : f32
  }
  %z = array.map (%u in %t : [n]f32, %v in %y : [n]f32) {
    %p = arith.mulf %alpha, %u : f32
    %o = arith.mulf %beta, %v : f32
    %s = arith.addf %p, %o : f32
    array.yield %s : f32
  }
  func.return %z : !array.array<[n]f32>
}
