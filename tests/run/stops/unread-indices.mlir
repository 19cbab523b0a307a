// run
// A gather stops at an index out of range whether anybody reads its element or not.
// inputs: [10, 20, 30]; [2, 0]; 0
// outputs: 2; 30; [31, 11]; [[6, 6], [0, 0]]
// inputs: [10, 20, 30]; [2, 3]; 0
// error: @%g = array.gather@ ... 'array.gather' op index 3 is out of range for dimension 0 of [n]i32, which has 3
// inputs: [10, 20, 30]; [2, -1]; 0
// error: @%g = array.gather@ ... 'array.gather' op index -1 is out of range for dimension 0 of [n]i32, which has 3
// inputs: []; [0]; 0
// error: @%g = array.gather@ ... 'array.gather' op index 0 is out of range for dimension 0 of [n]i32, which has 0
// inputs: [10, 20, 30]; []; 0
// error: @%x = array.index@ ... 'array.index' op index 0 is out of range for dimension 0 of [m]i32, which has 0
// structure: kernel.segmap 4
// versions: kernel.segmap 4
// shapes: 5
func.func @main(%xs: !array.array<[n]i32>, %is: !array.array<[m]index>, %at: index) -> (index, i32, !array.array<[m]i32>, !array.array<[m][2]i32>) {
  %g = array.gather %xs[%is] : [n]i32, [m]index
  %d = array.dim %g, 0 : [m]i32
  %h = array.gather %xs[%is] : [n]i32, [m]index
  %x = array.index %h[%at] : [m]i32
  %one = arith.constant 1 : i32
  %k = array.gather %xs[%is] : [n]i32, [m]index
  %ys = array.map (%v in %k : [m]i32) {
    %w = arith.addi %v, %one : i32
    array.yield %w : i32
  }
  %two = arith.constant 2 : index
  %n = array.dim %xs, 0 : [n]i32
  %ns = array.iota %n : [n]i32
  %rows = array.map (%i in %ns : [n]i32) {
    %t = arith.muli %i, %i : i32
    %u = arith.addi %t, %i : i32
    %r = array.replicate %u, [%two] : i32 -> [2]i32
    array.yield %r : [2]i32
  }
  %gs = array.gather %rows[%is] : [n][2]i32, [m]index
  func.return %d, %x, %ys, %gs : index, i32, !array.array<[m]i32>, !array.array<[m][2]i32>
}
