// run
// A summed-area table: a scan of rows element by element, over scans of each row.
// inputs: [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
// outputs: [[1, 3, 6], [5, 12, 21], [12, 27, 45]]
// inputs: random:NxM where N = 0 1 33 1025; M = 0 1 5 32
// structure: kernel.segmap 1, kernel.segscan 2
// versions: kernel.segmap 3, kernel.segscan 3
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %m = array.dim %xss, 1 : [n][m]i32
  %zeros = array.replicate %zero, [%m] : i32 -> [m]i32
  %across = array.map (%xs in %xss : [n][m]i32) {
    %s = array.scan (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i32
      array.yield %t : i32
    }
    array.yield %s : [m]i32
  }
  %table = array.scan (%across : [n][m]i32) init (%zeros : [m]i32) combine (%above, %row) {
    %s = array.map (%a in %above : [m]i32, %b in %row : [m]i32) {
      %t = arith.addi %a, %b : i32
      array.yield %t : i32
    }
    array.yield %s : [m]i32
  }
  func.return %table : !array.array<[n][m]i32>
}
