// run
// A stencil over rows that all points of a scan give alike: the array has a dimension that nothing stored has, but ends there.
// inputs: random:NxM; random:K where N = 0 1 2 5 33; M = 2; K = 0 1 3 40
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 2
// versions: kernel.segmap 3, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i32>, %ys: !array.array<[k]i32>) -> (!array.array<[n]i32>, !array.array<[n][k]i32>) {
  %zero = arith.constant 0 : i32
  %counts, %rows = array.scanomap (%row in %xss : [n][m]i32) init (%zero : i32) map {
    %own = array.reduce (%row : [m]i32) init (%zero : i32) combine arith.addi
    %sums = array.scan (%ys : [k]i32) init (%zero : i32) combine arith.addi
    array.yield %own, %sums : i32, !array.array<[k]i32>
  } combine (%x, %y) {
    %sum = arith.addi %x, %y : i32
    array.yield %sum : i32
  }
  %near = array.stencil (%a, %b, %c in %rows : [n][k]i32 at [[-2, -1], [1, 0], [0, 1]] outside (%i, %j) {
    %at = arith.muli %i, %j : index
    %at32 = arith.index_cast %at : index to i32
    array.yield %at32 : i32
  }) {
    %product = arith.muli %a, %b : i32
    %sum = arith.addi %product, %c : i32
    array.yield %sum : i32
  }
  func.return %counts, %near : !array.array<[n]i32>, !array.array<[n][k]i32>
}
