// Dot product: a map whose result is reduced at once.
func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = array.redomap (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map {
    %p = arith.mulf %x, %y : f32
    array.yield %p : f32
  } combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    array.yield %u : f32
  }
  func.return %sum : f32
}
