// Prefix sums: every element is read once and written once.
func.func @main(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %sums = array.scan (%x in %xs : [n]f32) init (%acc = %zero : f32) {
    %s = arith.addf %acc, %x : f32
    array.yield %s : f32
  }
  func.return %sums : !array.array<[n]f32>
}
