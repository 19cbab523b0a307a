// run
// An op that stops the program stops it though nobody needs its result: in a map whose result is not used, in one that hands
// its elements on, beside rows, beside a sum, in a branch, and where a nest inside has no points.
// inputs: [[1, 2], [3, 4]]; [0, 1]; [false, true]
// outputs: [[1, 2], [3, 4]]; 1
// inputs: [[1, 2], [3, 4]]; [0, 2]; [false, false]
// error: :20:10: ... 'array.index' op index 2 is out of range for dimension 0 of [m]i32, which has 2
// inputs: random:2x0; [0, 0]; [false, false]
// error: :20:10: ... 'array.index' op index 0 is out of range for dimension 0 of [m]i32, which has 0
// inputs: [[1, 2], [3, 4]]; [1, 0]; [false, true]
// error: :26:12: ... 'arith.divui' op divides by zero
// inputs: random:0x2; []; []
// outputs: random:0x2; 0
// structure: kernel.segred 1
// versions: kernel.segred 1
// shapes: 6
func.func @main(%xss: !array.array<[n][m]i32>, %is: !array.array<[n]index>, %cs: !array.array<[n]i1>) -> (!array.array<[n][m]i32>, index) {
  %zero = arith.constant 0 : index
  %rows = array.map (%xs in %xss : [n][m]i32, %i in %is : [n]index) {
    %x = array.index %xs[%i] : [m]i32
    array.yield %xs : [m]i32
  }
  %sum = array.redomap (%i in %is : [n]index, %c in %cs : [n]i1) init (%zero : index) map {
    %one = arith.constant 5 : index
    %unused = scf.if %c -> (index) {
      %q = arith.divui %one, %i : index
      scf.yield %q : index
    } else {
      scf.yield %one : index
    }
    array.yield %i : index
  } combine arith.addi
  func.return %rows, %sum : !array.array<[n][m]i32>, index
}
