// run
// A division that only nests inside of loops need is made, too, where a loop takes no round; and where an extent of those nests is
// computed in the loop.
// inputs: [[1, 2], [4, 3]]; 2; 1
// inputs: [[1, 2], [4, 3]]; 0; 5
// inputs: [[0, 2], [1, 3]]; 1; 1
// error: @%d = arith.divsi@ ... 'arith.divsi' op divides by zero
// inputs: [[0, 2], [1, 3]]; 0; 5
// error: @%d = arith.divsi@ ... 'arith.divsi' op divides by zero
// structure: kernel.segmap 2, kernel.segred 1
// versions: kernel.segmap 9, kernel.segred 3
// shapes: 6
func.func @main(%xss: !array.array<[n][m]i32>, %k: index, %from: i32) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %m = array.dim %xss, 1 : [n][m]i32
  %counted = array.map (%xs in %xss : [n][m]i32) {
    %x = array.index %xs[%c0] : [m]i32
    %s = array.reduce (%xs : [m]i32) init (%zero : i32) combine arith.addi
    %d = arith.divsi %s, %x : i32
    %last = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %xs) -> (!array.array<[m]i32>) {
      %zs = array.map (%a in %acc : [m]i32) {
        %b = arith.addi %a, %d : i32
        array.yield %b : i32
      }
      scf.yield %zs : !array.array<[m]i32>
    }
    array.yield %last : !array.array<[m]i32>
  }
  %left = array.map (%xs in %xss : [n][m]i32) {
    %x = array.index %xs[%c0] : [m]i32
    %d = arith.divsi %two, %x : i32
    %t, %last = scf.while (%round = %from, %acc = %xs) : (i32, !array.array<[m]i32>) -> (i32, !array.array<[m]i32>) {
      %more = arith.cmpi slt, %round, %two : i32
      scf.condition(%more) %round, %acc : i32, !array.array<[m]i32>
    } do {
    ^bb0(%round: i32, %acc: !array.array<[m]i32>):
      %less = arith.subi %m, %c1 : index
      %some = arith.maxsi %less, %c0 : index
      %zs = array.map (%a in %acc : [m]i32) {
        %sum = array.with_loop fold init (%a : i32) partition ([0] <= (%j) < [%some] step [1] width [1]) {
          %y = array.index %acc[%j] : [m]i32
          %q = arith.muli %y, %d : i32
          array.yield %q : i32
        } combine (%u, %v) {
          %w = arith.addi %u, %v : i32
          array.yield %w : i32
        }
        array.yield %sum : i32
      }
      %next = arith.addi %round, %x : i32
      scf.yield %next, %zs : i32, !array.array<[m]i32>
    }
    array.yield %last : !array.array<[m]i32>
  }
  func.return %counted, %left : !array.array<[n][m]i32>, !array.array<[n][m]i32>
}
