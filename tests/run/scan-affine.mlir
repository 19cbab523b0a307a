// run
// Inclusive scan with a non-commutative operator: every prefix of a chain of affine functions.
// inputs: [2, 3, -1]; [1, 5, 0]
// outputs: [2, 6, -6]; [1, 8, -8]
// inputs: random:N; random:N where N = 0 1 2 31 33 255 256 257 1031
// structure: kernel.segscan 1
// versions: kernel.segscan 1
func.func @main(%as: !array.array<[n]i32>, %bs: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %ra, %rb = array.scan (%as : [n]i32, %bs : [n]i32) init (%one : i32, %zero : i32) combine (%ca, %cb, %xa, %xb) {
    %a = arith.muli %ca, %xa : i32
    %t = arith.muli %cb, %xa : i32
    %b = arith.addi %t, %xb : i32
    array.yield %a, %b : i32, i32
  }
  func.return %ra, %rb : !array.array<[n]i32>, !array.array<[n]i32>
}
