// run
// All combinators write their start values alike.
// inputs: [1, 2, 3]
// inputs: random:N where N = 0 1 33
// numpy: xs.sum(dtype=np.int32), np.prod(xs, dtype=np.int32)
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s, %p = array.redomap (%x in %xs : [n]i32) init (%zero : i32, %one : i32) map {
    array.yield %x, %x : i32, i32
  } combine (%a, %b, %c, %d) {
    %t = arith.addi %a, %c : i32
    %u = arith.muli %b, %d : i32
    array.yield %t, %u : i32, i32
  }
  func.return %s, %p : i32, i32
}
