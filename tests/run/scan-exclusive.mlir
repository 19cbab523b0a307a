// run
// Exclusive scans: offsets of parts of given lengths, and an operator that is not commutative, in one traversal.
// inputs: [3, 1, 2]
// outputs: [0, 3, 4]; [1, 3, 3]; [0, 1, 2]
// inputs: random:N where N = 0 1 31 32 33 1023 1025 4096 4097 60000
// structure: kernel.segscan 1
// versions: kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums = array.scan exclusive (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  %ones = array.map (%x in %xs : [n]i32) {
    %o = arith.xori %x, %x : i32
    %p = arith.addi %o, %one : i32
    array.yield %p : i32
  }
  %ra, %rb = array.scan exclusive (%xs : [n]i32, %ones : [n]i32) init (%one : i32, %zero : i32) combine (%ca, %cb, %xa, %xb) {
    %a = arith.muli %ca, %xa : i32
    %t = arith.muli %cb, %xa : i32
    %b = arith.addi %t, %xb : i32
    array.yield %a, %b : i32, i32
  }
  func.return %sums, %ra, %rb : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}
