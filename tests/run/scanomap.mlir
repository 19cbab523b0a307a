// run
// A map fused into a scan: inclusive with an array beside, exclusive over two inputs, in rows.
// inputs: [1, 2, 3]; [[1, 2, 3], [4, 5, 6]]
// outputs: [1, 5, 14]; [2, 4, 6]; [[0, 1, 5], [0, 16, 41]]; [[-1, -2, -3], [-4, -5, -6]]
// inputs: random:M; random:NxM where N = 0 1 3 70; M = 0 1 31 32 33 1023 1025
// inputs: random:M; random:2xM where M = 4096 4097 9000
// structure: kernel.segmap 0, kernel.segscan 2
// versions: kernel.segmap 2, kernel.segscan 3
func.func @main(%ys: !array.array<[m]i64>, %xss: !array.array<[n][m]i64>) -> (!array.array<[m]i64>, !array.array<[m]i64>, !array.array<[n][m]i64>, !array.array<[n][m]i64>) {
  %zero = arith.constant 0 : i64
  %sums, %twice = array.scanomap (%y in %ys : [m]i64) init (%zero : i64) map {
    %p = arith.muli %y, %y : i64
    %t = arith.addi %y, %y : i64
    array.yield %p, %t : i64, i64
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i64
    array.yield %s : i64
  }
  %before, %less = array.map (%row in %xss : [n][m]i64) {
    %b, %l = array.scanomap exclusive (%x in %row : [m]i64) init (%zero : i64) map {
      %p = arith.muli %x, %x : i64
      %n = arith.subi %zero, %x : i64
      array.yield %p, %n : i64, i64
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i64
      array.yield %s : i64
    }
    array.yield %b, %l : [m]i64, [m]i64
  }
  func.return %sums, %twice, %before, %less : !array.array<[m]i64>, !array.array<[m]i64>, !array.array<[n][m]i64>, !array.array<[n][m]i64>
}
