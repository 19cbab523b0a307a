// run
// Products of matrices in a batch, and how many terms of each are positive: a dimension outside of the tiled ones, two results.
// inputs: random:BxNxK; random:BxKxM where B = 1 3; N = 2 18; M = 17; K = 5 32
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%as: !array.array<[b][n][k]f64>, %bs: !array.array<[b][k][m]f64>) -> (!array.array<[b][n][m]f64>, !array.array<[b][n][m]i32>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : i32
  %cs:2 = array.map (%a in %as : [b][n][k]f64, %b in %bs : [b][k][m]f64) {
    %bt = array.rearrange %b, [1, 0] : [k][m]f64
    %c:2 = array.map (%row in %a : [n][k]f64) {
      %r:2 = array.map (%column in %bt : [m][k]f64) {
        %dot:2 = array.redomap (%x in %row : [k]f64, %y in %column : [k]f64) init (%zero : f64, %none : i32) map {
          %p = arith.mulf %x, %y : f64
          %positive = arith.cmpf ogt, %p, %zero : f64
          %one = arith.extui %positive : i1 to i32
          array.yield %p, %one : f64, i32
        } combine (%s, %i, %t, %j) {
          %u = arith.addf %s, %t : f64
          %l = arith.addi %i, %j : i32
          array.yield %u, %l : f64, i32
        }
        array.yield %dot#0, %dot#1 : f64, i32
      }
      array.yield %r#0, %r#1 : !array.array<[m]f64>, !array.array<[m]i32>
    }
    array.yield %c#0, %c#1 : !array.array<[n][m]f64>, !array.array<[n][m]i32>
  }
  func.return %cs#0, %cs#1 : !array.array<[b][n][m]f64>, !array.array<[b][n][m]i32>
}
