// run
// A branch on a condition that is the same for all points, with other combinators on either side.
// inputs: [[1, 2, 3], [4, 5, 6]]; true
// outputs: [[1, 3, 6], [4, 9, 15]]
// inputs: [[1, 2, 3], [4, 5, 6]]; false
// outputs: [[3, 2, 1], [6, 5, 4]]
// inputs: random:NxM; true where N = 0 1 5; M = 0 1 33 1025
// structure: kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 3, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i32>, %sum: i1) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %yss = array.map (%xs in %xss : [n][m]i32) {
    %ys = scf.if %sum -> (!array.array<[m]i32>) {
      %s = array.scan (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
        %t = arith.addi %acc, %x : i32
        array.yield %t : i32
      }
      scf.yield %s : !array.array<[m]i32>
    } else {
      %r = array.reverse %xs, 0 : [m]i32
      scf.yield %r : !array.array<[m]i32>
    }
    array.yield %ys : [m]i32
  }
  func.return %yss : !array.array<[n][m]i32>
}
