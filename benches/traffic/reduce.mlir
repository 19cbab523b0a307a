// The sum of an array: every element is read once.
func.func @main(%xs: !array.array<[n]f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = array.reduce (%xs : [n]f32) init (%zero : f32) combine (%acc, %x) {
    %s = arith.addf %acc, %x : f32
    array.yield %s : f32
  }
  func.return %sum : f32
}
