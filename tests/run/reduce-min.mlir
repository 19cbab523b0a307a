// run
// A minimum of 64-bit integers.
// inputs: [5, -7, 3]
// outputs: -7
// inputs: random:N where N = 0 1 31 32 33 255 256 257 4099 70001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i64>) -> i64 {
  %neutral = arith.constant 9223372036854775807 : i64
  %r = array.reduce (%xs : [n]i64) init (%neutral : i64) combine (%acc, %x) {
    %s = arith.minsi %acc, %x : i64
    array.yield %s : i64
  }
  func.return %r : i64
}
