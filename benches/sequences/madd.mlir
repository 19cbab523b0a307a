// C = A + B
func.func @main(%A: !array.array<[n][m]f32>, %B: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %C = array.map (%p in %A : [n][m]f32, %q in %B : [n][m]f32) {
    %r = array.map (%a in %p : [m]f32, %b in %q : [m]f32) arith.addf
    array.yield %r : [m]f32
  }
  func.return %C : !array.array<[n][m]f32>
}
