// run
// Composition of affine functions x -> a*x + b: associative, not commutative, so the order of operands must be kept.
// inputs: [2, 3]; [1, 5]
// outputs: 6; 8
// inputs: random:N; random:N where N = 0 1 2 31 33 256 257 3001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%as: !array.array<[n]i32>, %bs: !array.array<[n]i32>) -> (i32, i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %ra, %rb = array.reduce (%as : [n]i32, %bs : [n]i32) init (%one : i32, %zero : i32) combine (%ca, %cb, %xa, %xb) {
    %a = arith.muli %ca, %xa : i32
    %t = arith.muli %cb, %xa : i32
    %b = arith.addi %t, %xb : i32
    array.yield %a, %b : i32, i32
  }
  func.return %ra, %rb : i32, i32
}
