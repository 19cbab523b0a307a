// run
// A scatter in a map: the inverse of each row's permutation, and whether composing the two is the identity.
// inputs: [[2, 0, 1], [1, 2, 0]]
// outputs: [[1, 2, 0], [2, 0, 1]]; [1, 1]
// inputs: [[0]]
// inputs: [[4, 3, 2, 1, 0], [0, 1, 2, 3, 4], [1, 0, 3, 2, 4], [2, 3, 4, 0, 1], [4, 0, 1, 2, 3], [0, 2, 4, 1, 3]]
// given: rows are permutations; others write one element twice
// structure: kernel.scatter 1, kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 4, kernel.segred 2
func.func @main(%ps: !array.array<[n][m]index>) -> (!array.array<[n][m]index>, !array.array<[n]i32>) {
  %m = array.dim %ps, 1 : [n][m]index
  %none = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %is = array.iota %m : [m]index
  %nothing = array.replicate %none, [%m] : index -> [m]index
  %inverse, %right = array.map (%p in %ps : [n][m]index) {
    %q = array.scatter (%at in %p : [m]index, %i in %is : [m]index) into (%nothing : [m]index) {
      array.yield %at, %i : index, index
    }
    %ok = array.redomap (%i in %is : [m]index, %at in %q : [m]index) init (%one : i32) map {
      %back = array.index %p[%at] : [m]index
      %same = arith.cmpi eq, %back, %i : index
      %o = arith.extui %same : i1 to i32
      array.yield %o : i32
    } combine (%a, %b) {
      %s = arith.andi %a, %b : i32
      array.yield %s : i32
    }
    array.yield %q, %ok : [m]index, i32
  }
  func.return %inverse, %right : !array.array<[n][m]index>, !array.array<[n]i32>
}
