// run
// Exclusive scans of rows: a warp each where they are short, tiles with look-back within a row where they are long.
// inputs: [[1, 2, 3], [4, 5, 6]]
// outputs: [[0, 1, 3], [0, 4, 9]]
// inputs: random:NxM where N = 0 1 5 70; M = 0 1 31 32 33 1023 1024 1025
// inputs: random:3xM where M = 4096 4097 20000
// structure: kernel.segscan 1
// versions: kernel.segmap 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i64>) -> !array.array<[n][m]i64> {
  %zero = arith.constant 0 : i64
  %yss = array.map (%row in %xss : [n][m]i64) {
    %ys = array.scan exclusive (%row : [m]i64) init (%zero : i64) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i64
      array.yield %s : i64
    }
    array.yield %ys : !array.array<[m]i64>
  }
  func.return %yss : !array.array<[n][m]i64>
}
