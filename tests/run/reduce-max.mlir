// run
// A maximum, whose neutral element is negative infinity.
// inputs: [1.5, -2.0]
// outputs: 1.5
// inputs: random:N where N = 0 1 31 32 33 255 256 257 4099 70001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]f32>) -> f32 {
  %neutral = arith.constant 0xFF800000 : f32
  %r = array.reduce (%xs : [n]f32) init (%neutral : f32) combine (%acc, %x) {
    %s = arith.maximumf %acc, %x : f32
    array.yield %s : f32
  }
  func.return %r : f32
}
