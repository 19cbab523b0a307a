// run
// Sizes that types leave open are compared when a function is called that says they are one size.
// inputs: [1, 2, 3]; [10, 20, 30]
// outputs: 140
// inputs: [1, 2, 3]; [10, 20]
// error: @%r = func.call@ ... 'func.call' op size `p` is 3 in dimension 0 of operand #0, but 2 in dimension 0 of operand #1
// structure: kernel.segred 1
// versions: kernel.segred 1
// shapes: 3
func.func private @dot(%xs: !array.array<[p]i32>, %ys: !array.array<[p]i32>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = array.redomap (%x in %xs : [p]i32, %y in %ys : [p]i32) init (%zero : i32) map arith.muli combine arith.addi
  func.return %r : i32
}
func.func @main(%xs: !array.array<[?]i32>, %ys: !array.array<[?]i32>) -> i32 {
  %r = func.call @dot(%xs, %ys) : (!array.array<[?]i32>, !array.array<[?]i32>) -> i32
  func.return %r : i32
}
