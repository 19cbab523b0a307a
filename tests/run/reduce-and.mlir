// run
// Whether all are true.
// inputs: [true, false]
// outputs: false
// inputs: random:N where N = 0 1 31 32 33 255 256 257 4099 70001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i1>) -> i1 {
  %neutral = arith.constant true
  %r = array.reduce (%xs : [n]i1) init (%neutral : i1) combine (%acc, %x) {
    %s = arith.andi %acc, %x : i1
    array.yield %s : i1
  }
  func.return %r : i1
}
