// x * x + x of every element: read once, written once.
func.func @main(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %ys = array.map (%x in %xs : [n]f32) {
    %p = arith.mulf %x, %x : f32
    %y = arith.addf %p, %x : f32
    array.yield %y : f32
  }
  func.return %ys : !array.array<[n]f32>
}
