// round-trip
// Making and viewing arrays; sizes are constants, symbols or unknown.
builtin.module {
  func.func @shapes(%xss: !array.array<[n][4]f32>, %i: index, %x: f32, %k: index) -> !array.array<[4][n]f32> {
    %n = array.dim %xss, 0 : [n][4]f32
    %is = array.iota %k : [?]i32
    %zs = array.replicate %x, [%n, %k] : f32 -> [n][?]f32
    %t = array.rearrange %xss, [1, 0] : [n][4]f32
    %e = array.index %xss[%i, %i] : [n][4]f32
    %c = array.cast %is : [?]i32 -> [n]i32
    func.return %t : !array.array<[4][n]f32>
  }
}
