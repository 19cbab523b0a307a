// run
// Elements outside are a function of the index: one that may run anywhere, and one that divides.
// inputs: random:NxM; 3 where N = 0 1 2 9; M = 1 33
// inputs: [[1, 2], [3, 4]]; 1
// numpy: n, m = a.shape
// numpy: def read(i, j, f):
// numpy:     return a[i, j] if 0 <= i < n and 0 <= j < m else f(i, j)
// numpy: def all(f):
// numpy:     return np.array([[read(i - 1, j, f) + 2 * read(i, j + 2, f) for j in range(m)] for i in range(n)], np.int32).reshape(n, m)
// numpy: all(lambda i, j: 10 * i + j), all(lambda i, j: 100 // d)
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[n][m]i32>, %d: i32) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>) {
  %two = arith.constant 2 : i32
  %ten = arith.constant 10 : index
  %hundred = arith.constant 100 : i32
  %x = array.stencil (%up, %right in %a : [n][m]i32 at [[-1, 0], [0, 2]] outside (%i, %j) {
    %k = arith.muli %i, %ten : index
    %l = arith.addi %k, %j : index
    %v = arith.index_cast %l : index to i32
    array.yield %v : i32
  }) {
    %b = arith.muli %right, %two : i32
    %s = arith.addi %up, %b : i32
    array.yield %s : i32
  }
  %y = array.stencil (%up, %right in %a : [n][m]i32 at [[-1, 0], [0, 2]] outside (%i, %j) {
    %v = arith.divsi %hundred, %d : i32
    array.yield %v : i32
  }) {
    %b = arith.muli %right, %two : i32
    %s = arith.addi %up, %b : i32
    array.yield %s : i32
  }
  func.return %x, %y : !array.array<[n][m]i32>, !array.array<[n][m]i32>
}
