// round-trip
// Other arrays of the same elements, and literals.
builtin.module {
  func.func @layout(%xs: !array.array<[n]f32>, %xss: !array.array<[n][m]f32>, %is: !array.array<[k]index>, %i: index, %x: f32) {
    %a = array.reshape %xss, [%i] : [n][m]f32 -> [?]f32
    %b = array.reverse %xss, 1 : [n][m]f32
    %c = array.slice %xss[%i, %i] sizes [%i, %i] strides [%i, %i] : [n][m]f32 -> [?][4]f32
    %d = array.concat %xs, %a : [n]f32, [?]f32 -> [?]f32
    %e = array.pad %xss, %x low [%i, %i] high [%i, %i] : [n][m]f32 -> [?][?]f32
    %f = array.update %x, %xss[%i, %i] : f32, [n][m]f32
    %row = array.index %xss[%i] : [n][m]f32
    %g = array.update %row, %xss[%i] : [m]f32, [n][m]f32
    %h = array.gather %xss[%is] : [n][m]f32, [k]index
    %t = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %literal = array.from_tensor %t : tensor<2x2xi32>
    func.return
  }
}
