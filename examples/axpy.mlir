// a * x + y, element by element.
func.func @main(%a: f32, %xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %zs = array.map (%x in %xs : [n]f32, %y in %ys : [n]f32) {
    %p = arith.mulf %a, %x fastmath<contract> : f32
    %z = arith.addf %p, %y fastmath<contract> : f32
    array.yield %z : f32
  }
  func.return %zs : !array.array<[n]f32>
}
