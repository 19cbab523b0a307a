// run
// A sum of everything: two stages on the device.
// inputs: [1, 2, 3]
// outputs: 6
// inputs: random:N where N = 0 1 31 32 33 255 256 257 4099 70001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>) -> i32 {
  %neutral = arith.constant 0 : i32
  %r = array.reduce (%xs : [n]i32) init (%neutral : i32) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  func.return %r : i32
}
