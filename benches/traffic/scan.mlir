// Prefix sums: every element is read once and written once.
func.func @main(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %sums = array.scan (%xs : [n]f32) init (%zero : f32) combine (%acc, %x) {
    %s = arith.addf %acc, %x : f32
    array.yield %s : f32
  }
  func.return %sums : !array.array<[n]f32>
}
