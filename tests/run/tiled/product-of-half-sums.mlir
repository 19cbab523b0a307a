// run
// A product of halves with sums of halves.
// inputs: random:NxK; random:KxM where N = 1 33; M = 16 31; K = 1 16 45
// inputs: random:65x36; random:36x68
// inputs: random:67x97; random:97x71
// inputs: random:0x3; random:3x5
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]f16>, %b: !array.array<[k][m]f16>) -> !array.array<[n][m]f16> {
  %zero = arith.constant 0.0 : f16
  %bt = array.rearrange %b, [1, 0] : [k][m]f16
  %c = array.map (%row in %a : [n][k]f16) {
    %r = array.map (%column in %bt : [m][k]f16) {
      %dot = array.redomap (%x in %row : [k]f16, %y in %column : [k]f16) init (%zero : f16) map {
        %p = arith.mulf %x, %y fastmath<contract> : f16
        array.yield %p : f16
      } combine (%s, %t) {
        %u = arith.addf %s, %t fastmath<reassoc,contract> : f16
        array.yield %u : f16
      }
      array.yield %dot : f16
    }
    array.yield %r : [m]f16
  }
  func.return %c : !array.array<[n][m]f16>
}
