// run
// A division by zero stops the program in kernels as on the host; where nothing divides, nothing stops.
// inputs: [7, 8]; [2, 3]; 4
// outputs: [3, 2]; [26, 27]; [1, 2]
// inputs: [7, 8]; [2, 0]; 4
// error: :19:10: ... 'arith.divsi' op divides by zero
// inputs: [7, 8]; [2, 3]; 0
// error: :23:10: ... 'arith.floordivsi' op divides by zero
// inputs: []; []; 0
// outputs: []; []; []
// inputs: [7, 0]; [0, 3]; 4
// error: op divides by zero
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %k: i32) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %hundred = arith.constant 77 : i32
  %zs = array.map (%x in %xs : [n]i32, %y in %ys : [n]i32) {
    %q = arith.divsi %x, %y : i32
    array.yield %q : i32
  }
  %ws = array.map (%x in %xs : [n]i32) {
    %q = arith.floordivsi %hundred, %k : i32
    %w = arith.addi %x, %q : i32
    array.yield %w : i32
  }
  %us = array.map (%x in %xs : [n]i32, %y in %ys : [n]i32) {
    %q = arith.remui %x, %y : i32
    array.yield %q : i32
  }
  func.return %zs, %ws, %us : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}
