// w = a x + b y
func.func @main(%alpha: f32, %beta: f32, %x: !array.array<[n]f32>, %y: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %s = array.map (%u in %x : [n]f32) {
    %p = arith.mulf %alpha, %u : f32
    array.yield %p : f32
  }
  %t = array.map (%u in %y : [n]f32) {
    %p = arith.mulf %beta, %u : f32
    array.yield %p : f32
  }
  %w = array.map (%a in %s : [n]f32, %b in %t : [n]f32) arith.addf
  func.return %w : !array.array<[n]f32>
}
