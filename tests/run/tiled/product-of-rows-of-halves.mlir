// run
// A matrix product of rows of two matrices of numbers of 16 bits, with sums of 32.
// inputs: random:NxK; random:MxK where N = 1 33; M = 16 31; K = 1 16 45
// inputs: random:65x36; random:68x36
// inputs: random:0x3; random:5x3
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]f16>, %b: !array.array<[m][k]f16>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %c = array.map (%row in %a : [n][k]f16) {
    %r = array.map (%column in %b : [m][k]f16) {
      %dot = array.redomap (%x in %row : [k]f16, %y in %column : [k]f16) init (%zero : f32) map {
        %xf = arith.extf %x : f16 to f32
        %yf = arith.extf %y : f16 to f32
        %p = arith.mulf %xf, %yf fastmath<contract> : f32
        array.yield %p : f32
      } combine (%s, %t) {
        %u = arith.addf %s, %t fastmath<reassoc,contract> : f32
        array.yield %u : f32
      }
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  }
  func.return %c : !array.array<[n][m]f32>
}
