// run
// For each of several matrices: sums of squares along rows in 64 bits, greatest values and whether all are positive along columns,
// and the matrix with its elements doubled.
// inputs: random:BxNxM where B = 0 1 3; N = 0 1 33; M = 0 1 67
// inputs: random:2x130x140
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 6, kernel.segred 6
func.func @main(%ms: !array.array<[b][n][m]f64>) -> (!array.array<[b][n]f64>, !array.array<[b][m]f64>, !array.array<[b][m]i1>, !array.array<[b][n][m]f64>) {
  %zero = arith.constant 0.0 : f64
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %yes = arith.constant true
  %rows, %tops, %signs, %twice = array.map (%matrix in %ms : [b][n][m]f64) {
    %sums = array.map (%row in %matrix : [n][m]f64) {
      %sum = array.redomap (%x in %row : [m]f64) init (%zero : f64) map {
        %q = arith.mulf %x, %x : f64
        array.yield %q : f64
      } combine arith.addf
      array.yield %sum : f64
    }
    %turned = array.rearrange %matrix, [1, 0] : [n][m]f64
    %top = array.map (%column in %turned : [m][n]f64) {
      %most = array.reduce (%column : [n]f64) init (%lowest : f64) combine arith.maximumf
      array.yield %most : f64
    }
    %sign = array.map (%column in %turned : [m][n]f64) {
      %all = array.redomap (%x in %column : [n]f64) init (%yes : i1) map {
        %p = arith.cmpf ogt, %x, %zero : f64
        array.yield %p : i1
      } combine arith.andi
      array.yield %all : i1
    }
    %double = array.map (%row in %matrix : [n][m]f64) {
      %two = array.map (%x in %row : [m]f64) {
        %d = arith.addf %x, %x : f64
        array.yield %d : f64
      }
      array.yield %two : [m]f64
    }
    array.yield %sums, %top, %sign, %double : [n]f64, [m]f64, [m]i1, [n][m]f64
  }
  func.return %rows, %tops, %signs, %twice : !array.array<[b][n]f64>, !array.array<[b][m]f64>, !array.array<[b][m]i1>, !array.array<[b][n][m]f64>
}
