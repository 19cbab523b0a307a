// run
// Folds over strided spaces of the run with an operator that is not commutative (affine maps composed), partitions in
// order, one of which overlaps another and counts again; a sum over three dimensions.
// inputs: random:N; random:N; 0; 2; 1 where N = 1 2 5 64 301
// inputs: random:N; random:N; 1; 5; 3 where N = 3 100
// inputs: [1, 2]; [3, 4]; 2; 1; 1
// structure: kernel.segred 3
// versions: kernel.segred 3
func.func @main(%fs: !array.array<[n]i32>, %gs: !array.array<[n]i32>, %l: index, %t: index, %w: index) -> (i32, i32, i32) {
  %n = array.dim %fs, 0 : [n]i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %start = arith.constant 7 : i32
  %f, %g = array.with_loop fold init (%start : i32, %one : i32) neutral (%one : i32, %zero : i32) partition ([%l] <= (%i) < [%n] step [%t] width [%w]) {
    %a = array.index %fs[%i] : [n]i32
    %b = array.index %gs[%i] : [n]i32
    array.yield %a, %b : i32, i32
  } partition ((%i) < [%n]) {
    %a = array.index %gs[%i] : [n]i32
    %b = array.index %fs[%i] : [n]i32
    array.yield %a, %b : i32, i32
  } combine (%a, %b, %c, %d) {
    %ac = arith.muli %a, %c : i32
    %bc = arith.muli %b, %c : i32
    %bcd = arith.addi %bc, %d : i32
    array.yield %ac, %bcd : i32, i32
  }
  %sum = array.with_loop fold init (%zero : i32) partition ([1, 0, %l] <= (%i, %j, %k) < [4, 7, %n] step [2, 3, %t] width [1, 2, %w]) {
    %a = arith.addi %i, %j : index
    %b = arith.muli %a, %k : index
    %c = arith.index_cast %b : index to i32
    array.yield %c : i32
  } combine (%x, %y) {
    %z = arith.addi %x, %y : i32
    array.yield %z : i32
  }
  func.return %f, %g, %sum : i32, i32, i32
}
