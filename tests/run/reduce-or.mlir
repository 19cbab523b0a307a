// run
// Bits that are set anywhere, in bytes.
// inputs: [1, 4]
// outputs: 5
// inputs: random:N where N = 0 1 31 32 33 255 256 257 4099 70001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i8>) -> i8 {
  %neutral = arith.constant 0 : i8
  %r = array.reduce (%xs : [n]i8) init (%neutral : i8) combine (%acc, %x) {
    %s = arith.ori %acc, %x : i8
    array.yield %s : i8
  }
  func.return %r : i8
}
