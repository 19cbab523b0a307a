// run
// Sums at every depth of a nest of four: of elements, of rows, of planes and of all, each from the one inside it.
// inputs: [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]
// outputs: 36; [36]; [[10, 26]]; [[[3, 7], [11, 15]]]
// inputs: random:AxBx3xM where A = 0 1 2; B = 1 3; M = 0 1 33
// structure: kernel.segred 3
// versions: kernel.segmap 6, kernel.segred 10
func.func @main(%x: !array.array<[a][b][c][m]i64>) -> (i64, !array.array<[a]i64>, !array.array<[a][b]i64>, !array.array<[a][b][c]i64>) {
  %zero = arith.constant 0 : i64
  %all, %s1, %s2, %s3 = array.redomap (%x1 in %x : [a][b][c][m]i64) init (%zero : i64) map {
    %t1, %t2, %t3 = array.redomap (%x2 in %x1 : [b][c][m]i64) init (%zero : i64) map {
      %u2, %u3 = array.redomap (%x3 in %x2 : [c][m]i64) init (%zero : i64) map {
        %v3 = array.reduce (%x3 : [m]i64) init (%zero : i64) combine (%acc, %x4) {
          %s = arith.addi %acc, %x4 : i64
          array.yield %s : i64
        }
        array.yield %v3, %v3 : i64, i64
      } combine (%p, %q) {
        %s = arith.addi %p, %q : i64
        array.yield %s : i64
      }
      array.yield %u2, %u2, %u3 : i64, i64, [c]i64
    } combine (%p, %q) {
      %s = arith.addi %p, %q : i64
      array.yield %s : i64
    }
    array.yield %t1, %t1, %t2, %t3 : i64, i64, [b]i64, [b][c]i64
  } combine (%p, %q) {
    %s = arith.addi %p, %q : i64
    array.yield %s : i64
  }
  func.return %all, %s1, %s2, %s3 : i64, !array.array<[a]i64>, !array.array<[a][b]i64>, !array.array<[a][b][c]i64>
}
