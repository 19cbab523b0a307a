// z = w - a v, r = z . u
func.func @main(%alpha: f32, %w: !array.array<[n]f32>, %v: !array.array<[n]f32>, %u: !array.array<[n]f32>) -> (!array.array<[n]f32>, f32) {
  %zero = arith.constant 0.0 : f32
  %z = array.map (%x in %w : [n]f32, %y in %v : [n]f32) {
    %p = arith.mulf %alpha, %y : f32
    %d = arith.subf %x, %p : f32
    array.yield %d : f32
  }
  %r = array.redomap (%x in %z : [n]f32, %y in %u : [n]f32) init (%zero : f32) map arith.mulf combine arith.addf
  func.return %z, %r : !array.array<[n]f32>, f32
}
