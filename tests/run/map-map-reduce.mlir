// run
// A reduction two maps deep, with one array used in every iteration of the outer map.
// inputs: random:NxK; random:MxK where N = 1 5; M = 1 17; K = 0 1 33 257
// structure: kernel.segmap 1
// versions: kernel.at_least 2, kernel.segmap 2, kernel.segred 2
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
