// run
// Products of matrices, one per element of a batch: three maps around a reduction.
// inputs: [[[1, 2], [3, 4]]]; [[[5, 6], [7, 8]]]
// outputs: [[[19, 22], [43, 50]]]
// inputs: random:BxNxM; random:BxMx5 where B = 0 1 3; N = 1 7; M = 0 1 33
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%as: !array.array<[b][n][m]f64>, %bs: !array.array<[b][m][p]f64>) -> !array.array<[b][n][p]f64> {
  %zero = arith.constant 0.0 : f64
  %cs = array.map (%a in %as : [b][n][m]f64, %b in %bs : [b][m][p]f64) {
    %bt = array.rearrange %b, [1, 0] : [m][p]f64
    %c = array.map (%row in %a : [n][m]f64) {
      %r = array.map (%column in %bt : [p][m]f64) {
        %dot = array.redomap (%x in %row : [m]f64, %y in %column : [m]f64) init (%zero : f64) map {
          %q = arith.mulf %x, %y : f64
          array.yield %q : f64
        } combine (%s, %t) {
          %u = arith.addf %s, %t : f64
          array.yield %u : f64
        }
        array.yield %dot : f64
      }
      array.yield %r : [p]f64
    }
    array.yield %c : [n][p]f64
  }
  func.return %cs : !array.array<[b][n][p]f64>
}
