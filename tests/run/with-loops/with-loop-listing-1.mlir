// run
// Listing 1 of Janssen and Scholz, for arrays of two and of three dimensions: an array is made of a shape and a value, its
// number of dimensions is the length of its shape, its shape is asked for, and an index vector of that length selects.
// inputs: random:4x5; random:2x3x4
// inputs: random:1x7; random:3x1x2
// inputs: random:3x2; random:1x1x1
// numpy: make = lambda a: np.pad(a[tuple(slice(1, None) for _ in a.shape)], [(0, 1)] * a.ndim, constant_values=-7)[tuple(map(slice, a.shape))]
// numpy: make(xs), *make(xs).shape, make(ys), *make(ys).shape
// structure: kernel.scatter 7
// versions: kernel.scatter 7
func.func @main(%xs: !array.array<[m][n]i32>, %ys: !array.array<[p][q][r]i32>) -> (!array.array<[m][n]i32>, index, index, !array.array<[p][q][r]i32>, index, index, index) {
  %minus = arith.constant -7 : i32
  %one = arith.constant 1 : index
  %m = array.dim %xs, 0 : [m][n]i32
  %n = array.dim %xs, 1 : [m][n]i32
  %p = array.dim %ys, 0 : [p][q][r]i32
  %q = array.dim %ys, 1 : [p][q][r]i32
  %r = array.dim %ys, 2 : [p][q][r]i32
  %m1 = arith.subi %m, %one : index
  %n1 = arith.subi %n, %one : index
  %p1 = arith.subi %p, %one : index
  %q1 = arith.subi %q, %one : index
  %r1 = arith.subi %r, %one : index
  %plane = array.with_loop genarray [%m, %n] default (%minus : i32) partition ((%i, %j) < [%m1, %n1]) {
    %i1 = arith.addi %i, %one : index
    %j1 = arith.addi %j, %one : index
    %x = array.index %xs[%i1, %j1] : [m][n]i32
    array.yield %x : i32
  } : [m][n]i32
  %solid = array.with_loop genarray [%p, %q, %r] default (%minus : i32) partition ((%i, %j, %k) < [%p1, %q1, %r1]) {
    %i1 = arith.addi %i, %one : index
    %j1 = arith.addi %j, %one : index
    %k1 = arith.addi %k, %one : index
    %y = array.index %ys[%i1, %j1, %k1] : [p][q][r]i32
    array.yield %y : i32
  } : [p][q][r]i32
  %d0 = array.dim %plane, 0 : [m][n]i32
  %d1 = array.dim %plane, 1 : [m][n]i32
  %e0 = array.dim %solid, 0 : [p][q][r]i32
  %e1 = array.dim %solid, 1 : [p][q][r]i32
  %e2 = array.dim %solid, 2 : [p][q][r]i32
  func.return %plane, %d0, %d1, %solid, %e0, %e1, %e2 : !array.array<[m][n]i32>, index, index, !array.array<[p][q][r]i32>, index, index, index
}
