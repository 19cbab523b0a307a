// The sum of an array: every element is read once.
func.func @main(%xs: !array.array<[n]f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = array.reduce (%x in %xs : [n]f32) init (%acc = %zero : f32) {
    %s = arith.addf %acc, %x : f32
    array.yield %s : f32
  }
  func.return %sum : f32
}
