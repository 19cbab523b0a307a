// run
// A matrix with a strided part of it replaced, by bounds of the run; the old matrix is used afterwards, too.
// inputs: random:NxM; 0; 2; 3; 2 where N = 2 5 33; M = 1 7 40
// inputs: [[1, 2, 3], [4, 5, 6]]; 1; 1; 1; 1
// inputs: [[1, 2, 3], [4, 5, 6]]; 2; 2; 4; 4
// inputs: [[1, 2, 3], [4, 5, 6]]; 2; 1; 4; 4
// inputs: [[1, 2, 3], [4, 5, 6]]; 0; 3; 1; 1
// error: @%b = array.with_loop@ ... 'array.with_loop' op partition #0, dimension 0: the upper bound 3 is outside of the array, whose extent is 2
// inputs: [[1, 2, 3], [4, 5, 6]]; -1; 2; 1; 1
// error: @%b = array.with_loop@ ... 'array.with_loop' op partition #0, dimension 0: the lower bound -1 is outside of the array
// inputs: [[1, 2, 3], [4, 5, 6]]; 0; 2; 0; 1
// error: @%b = array.with_loop@ ... 'array.with_loop' op partition #0, dimension 1: a step must be at least 1, but is 0
// inputs: [[1, 2, 3], [4, 5, 6]]; 0; 2; 1; 0
// error: @%b = array.with_loop@ ... 'array.with_loop' op partition #0, dimension 1: a width must be at least 1, but is 0
// inputs: [[1, 2, 3], [4, 5, 6]]; 0; 2; 1; 2
// error: @%b = array.with_loop@ ... 'array.with_loop' op partition #0, dimension 1: a width cannot be above its step: 2 is above 1
// shapes: 5
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: !array.array<[n][m]i32>, %l: index, %u: index, %t: index, %w: index) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>) {
  %m = array.dim %a, 1 : [n][m]i32
  %ten = arith.constant 10 : i32
  %b = array.with_loop modarray (%a : [n][m]i32) partition ([%l, 0] <= (%i, %j) < [%u, %m] step [1, %t] width [1, %w]) {
    %x = array.index %a[%i, %j] : [n][m]i32
    %y = arith.muli %x, %ten : i32
    %k = arith.index_cast %i : index to i32
    %z = arith.addi %y, %k : i32
    array.yield %z : i32
  }
  %c = array.map (%x in %a : [n][m]i32, %y in %b : [n][m]i32) {
    %d = array.map (%p in %x : [m]i32, %q in %y : [m]i32) arith.subi
    array.yield %d : [m]i32
  }
  func.return %b, %c : !array.array<[n][m]i32>, !array.array<[n][m]i32>
}
