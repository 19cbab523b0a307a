// x = a x
func.func @main(%alpha: f32, %x: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %y = array.map (%u in %x : [n]f32) {
    %p = arith.mulf %alpha, %u : f32
    array.yield %p : f32
  }
  func.return %y : !array.array<[n]f32>
}
