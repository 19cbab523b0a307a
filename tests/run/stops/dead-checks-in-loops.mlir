// run
// In code of one thread, too, a check stops the program where nothing needs what it checks, be the array read or not.
// inputs: [1, 2, 3]; [1, 2]; 2
// outputs: [5, 7, 9]; [10, 10, 10]
// inputs: [1, 2, 3]; [1, 0]; 2
// error: @%q = arith.divsi@ ... 'arith.divsi' op divides by zero
// inputs: [1, 2, 3]; [1, 0]; 0
// outputs: [0, 0, 0]; [0, 0, 0]
// inputs: [1, 2, 3]; [1, 5]; 1
// error: @%dead = array.index@ ... 'array.index' op index 5 is out of range for dimension 0 of [n]i32, which has 3
// inputs: []; [1, 0]; 2
// outputs: []; []
// structure: kernel.segmap 2, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 4, kernel.segred 2, kernel.segscan 2
// shapes: 1
func.func @main(%xs: !array.array<[n]i32>, %is: !array.array<[k]index>, %rounds: index) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %r, %t = array.map (%x in %xs : [n]i32) {
    %s, %u = scf.for %round = %c0 to %rounds step %c1 iter_args(%acc = %zero, %other = %zero) -> (i32, i32) {
      %ys = array.map (%i in %is : [k]index) {
        %j = arith.index_cast %i : index to i32
        %q = arith.divsi %x, %j : i32
        %w = arith.addi %j, %x : i32
        array.yield %w : i32
      }
      %sum = array.reduce (%ys : [k]i32) init (%zero : i32) combine arith.addi
      %zs = array.map (%i in %is : [k]index) {
        %dead = array.index %xs[%i] : [n]i32
        array.yield %five : i32
      }
      %ps = array.scan (%zs : [k]i32) init (%zero : i32) combine arith.addi
      %last = array.index %ps[%c1] : [k]i32
      scf.yield %sum, %last : i32, i32
    }
    array.yield %s, %u : i32, i32
  }
  func.return %r, %t : !array.array<[n]i32>, !array.array<[n]i32>
}
