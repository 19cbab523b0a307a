// run
// Sums of rows of an outer difference with other rows below it and a frame around: neither matrix is stored.
// inputs: [1, 2]; [10, 20, 30]; [[1, 2, 3]]
// outputs: [60, 57, 9, 12]
// inputs: random:N; random:M; random:KxM where N = 0 1 33; M = 1 40; K = 0 1 5
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xs: !array.array<[n]i64>, %ys: !array.array<[m]i64>, %below: !array.array<[k][m]i64>) -> !array.array<[?]i64> {
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %differences = array.map (%x in %xs : [n]i64) {
    %row = array.map (%y in %ys : [m]i64) {
      %d = arith.subi %y, %x : i64
      array.yield %d : i64
    }
    array.yield %row : [m]i64
  }
  %both = array.concat %differences, %below : [n][m]i64, [k][m]i64 -> [?][m]i64
  %framed = array.pad %both, %three low [%c0, %c1] high [%c1, %c0] : [?][m]i64 -> [?][?]i64
  %sums = array.map (%row in %framed : [?][?]i64) {
    %s = array.reduce (%row : [?]i64) init (%zero : i64) combine arith.addi
    array.yield %s : i64
  }
  func.return %sums : !array.array<[?]i64>
}
