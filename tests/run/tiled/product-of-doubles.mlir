// run
// A product of doubles: tensor cores multiply 8 rows by 4 with 4 by 8 columns, which threads read one by one.
// inputs: random:NxK; random:KxM where N = 1 33; M = 16 31; K = 1 16 45
// inputs: random:65x36; random:36x68
// inputs: random:67x97; random:97x71
// inputs: random:0x3; random:3x5
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]f64>, %b: !array.array<[k][m]f64>) -> !array.array<[n][m]f64> {
  %zero = arith.constant 0.0 : f64
  %bt = array.rearrange %b, [1, 0] : [k][m]f64
  %c = array.map (%row in %a : [n][k]f64) {
    %r = array.map (%column in %bt : [m][k]f64) {
      %dot = array.redomap (%x in %row : [k]f64, %y in %column : [k]f64) init (%zero : f64) map {
        %p = arith.mulf %x, %y fastmath<contract> : f64
        array.yield %p : f64
      } combine (%s, %t) {
        %u = arith.addf %s, %t fastmath<reassoc,contract> : f64
        array.yield %u : f64
      }
      array.yield %dot : f64
    }
    array.yield %r : [m]f64
  }
  func.return %c : !array.array<[n][m]f64>
}
