// run
// The lecture's first nest: each row plus its own sum. Fission makes it a segmented reduction and one map.
// inputs: [[1, 2], [3, 4]]
// outputs: [[4, 5], [10, 11]]
// inputs: random:NxM where N = 0 1 33; M = 0 1 31 33 1025
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 4, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %yss = array.map (%xs in %xss : [n][m]i32) {
    %y = array.reduce (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    %ys = array.map (%x in %xs : [m]i32) {
      %z = arith.addi %x, %y : i32
      array.yield %z : i32
    }
    array.yield %ys : [m]i32
  }
  func.return %yss : !array.array<[n][m]i32>
}
