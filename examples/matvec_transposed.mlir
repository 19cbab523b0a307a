// Transposed matrix times vector: one dot product per column; the transposition is a view.
func.func @main(%a: !array.array<[n][m]f32>, %xs: !array.array<[n]f32>) -> !array.array<[m]f32> {
  %zero = arith.constant 0.0 : f32
  %at = array.rearrange %a, [1, 0] : [n][m]f32
  %ys = array.map (%column in %at : [m][n]f32) {
    %y = array.redomap (%e in %column : [n]f32, %x in %xs : [n]f32) init (%zero : f32) map {
      %p = arith.mulf %e, %x : f32
      array.yield %p : f32
    } combine (%s, %t) {
      %u = arith.addf %s, %t : f32
      array.yield %u : f32
    }
    array.yield %y : f32
  }
  func.return %ys : !array.array<[m]f32>
}
