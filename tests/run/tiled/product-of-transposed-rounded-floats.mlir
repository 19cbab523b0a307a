// run
// The same of two matrices that are both stored the other way round, ties to even, and code after the sum.
// inputs: random:KxN; random:MxK where N = 1 33; M = 16 31; K = 1 16 45
// inputs: random:36x65; random:68x36
// inputs: random:3x0; random:5x3
// structure: kernel.segmap 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%a: !array.array<[k][n]f32>, %b: !array.array<[m][k]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %at = array.rearrange %a, [1, 0] : [k][n]f32
  %c = array.map (%row in %at : [n][k]f32) {
    %r = array.map (%column in %b : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map {
        %xt = arith.truncf %x : f32 to tf32
        %xf = arith.extf %xt : tf32 to f32
        %yt = arith.truncf %y : f32 to tf32
        %yf = arith.extf %yt : tf32 to f32
        %p = arith.mulf %xf, %yf fastmath<contract> : f32
        array.yield %p : f32
      } combine (%s, %t) {
        %u = arith.addf %s, %t fastmath<reassoc,contract> : f32
        array.yield %u : f32
      }
      %half = arith.constant 0.5 : f32
      %e = arith.mulf %dot, %half : f32
      array.yield %e : f32
    }
    array.yield %r : [m]f32
  }
  func.return %c : !array.array<[n][m]f32>
}
