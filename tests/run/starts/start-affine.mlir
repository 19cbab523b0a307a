// run
// Functions x -> a*x + b composed, beginning with x -> 3*x + 5: associative, not commutative, so that the start value must
// be on the left. With a = 2, b = 1 n times: (3 * 2^n, (5 + 1) * 2^n - 1).
// inputs: [2, 2]; [1, 1]
// outputs: 12; 23; [6, 12]; [11, 23]; [3, 6]; [5, 11]
// inputs: []; []
// outputs: 3; 5; []; []; []; []
// inputs: random:N; random:N where N = 1 2 31 33 256 3001
// structure: kernel.segred 1, kernel.segscan 2
// versions: kernel.segred 1, kernel.segscan 2
func.func @main(%as: !array.array<[n]i32>, %bs: !array.array<[n]i32>) -> (i32, i32, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %a, %b = array.reduce (%as : [n]i32, %bs : [n]i32) init (%three : i32, %five : i32) combine (%p, %q, %r, %s) {
    %pr = arith.muli %p, %r : i32
    %qr = arith.muli %q, %r : i32
    %qrs = arith.addi %qr, %s : i32
    array.yield %pr, %qrs : i32, i32
  }
  %cs, %ds = array.scan (%as : [n]i32, %bs : [n]i32) init (%three : i32, %five : i32) combine (%p, %q, %r, %s) {
    %pr = arith.muli %p, %r : i32
    %qr = arith.muli %q, %r : i32
    %qrs = arith.addi %qr, %s : i32
    array.yield %pr, %qrs : i32, i32
  }
  %es, %fs = array.scan exclusive (%as : [n]i32, %bs : [n]i32) init (%three : i32, %five : i32) combine (%p, %q, %r, %s) {
    %pr = arith.muli %p, %r : i32
    %qr = arith.muli %q, %r : i32
    %qrs = arith.addi %qr, %s : i32
    array.yield %pr, %qrs : i32, i32
  }
  func.return %a, %b, %cs, %ds, %es, %fs : i32, i32, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}
