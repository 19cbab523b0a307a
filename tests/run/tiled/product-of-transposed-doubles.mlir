// run
// A product of doubles that are both stored the other way round, and code after the sum.
// inputs: random:KxN; random:MxK where N = 1 33; M = 16 31; K = 1 16 45
// inputs: random:36x65; random:68x36
// inputs: random:97x67; random:71x97
// inputs: random:3x0; random:5x3
// structure: kernel.segmap 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%a: !array.array<[k][n]f64>, %b: !array.array<[m][k]f64>) -> !array.array<[n][m]f64> {
  %zero = arith.constant 0.0 : f64
  %at = array.rearrange %a, [1, 0] : [k][n]f64
  %c = array.map (%row in %at : [n][k]f64) {
    %r = array.map (%column in %b : [m][k]f64) {
      %dot = array.redomap (%x in %row : [k]f64, %y in %column : [k]f64) init (%zero : f64) map {
        %p = arith.mulf %x, %y fastmath<contract> : f64
        array.yield %p : f64
      } combine (%s, %t) {
        %u = arith.addf %s, %t fastmath<reassoc,contract> : f64
        array.yield %u : f64
      }
      %half = arith.constant 0.5 : f64
      %e = arith.mulf %dot, %half : f64
      array.yield %e : f64
    }
    array.yield %r : [m]f64
  }
  func.return %c : !array.array<[n][m]f64>
}
