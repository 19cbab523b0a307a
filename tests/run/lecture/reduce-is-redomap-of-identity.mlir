// run
// A reduction, and the fused form with the identity as its map: the same (the lecture's note on fused constructs).
// inputs: [4, 1, 3]
// outputs: 8; 8; [4, 5, 8]; [4, 5, 8]
// inputs: random:N where N = 0 1 31 32 33 1023 1025
// structure: kernel.segred 1, kernel.segscan 1
// versions: kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>) -> (i32, i32, !array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %a = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  %b = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {
    array.yield %x : i32
  } combine (%p, %q) {
    %s = arith.addi %p, %q : i32
    array.yield %s : i32
  }
  %c = array.scan (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  %d = array.scanomap (%x in %xs : [n]i32) init (%zero : i32) map {
    array.yield %x : i32
  } combine (%p, %q) {
    %s = arith.addi %p, %q : i32
    array.yield %s : i32
  }
  func.return %a, %b, %c, %d : i32, i32, !array.array<[n]i32>, !array.array<[n]i32>
}
