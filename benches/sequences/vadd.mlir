// x = w + y + z
func.func @main(%w: !array.array<[n]f32>, %y: !array.array<[n]f32>, %z: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %t = array.map (%a in %w : [n]f32, %b in %y : [n]f32) arith.addf
  %x = array.map (%a in %t : [n]f32, %b in %z : [n]f32) arith.addf
  func.return %x : !array.array<[n]f32>
}
