// A matrix with its dimensions swapped: read once, written once.
func.func @main(%a: !array.array<[n][m]f32>) -> !array.array<[m][n]f32> {
  %t = array.rearrange %a, [1, 0] : [n][m]f32
  func.return %t : !array.array<[m][n]f32>
}
