// run
// Products of the rows of two matrices: rows of the second are copied with neighbours along the row, read down a column.
// inputs: random:NxK; random:MxK where N = 2 35; M = 1 40; K = 16 33
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xss: !array.array<[n][k]i32>, %yss: !array.array<[m][k]i32>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %zss = array.map (%xs in %xss : [n][k]i32) {
    %zs = array.map (%ys in %yss : [m][k]i32) {
      %z = array.redomap (%x in %xs : [k]i32, %y in %ys : [k]i32) init (%zero : i32) map {
        %p = arith.muli %x, %y : i32
        array.yield %p : i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        array.yield %s : i32
      }
      array.yield %z : i32
    }
    array.yield %zs : !array.array<[m]i32>
  }
  func.return %zss : !array.array<[n][m]i32>
}
