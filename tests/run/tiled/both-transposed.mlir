// run
// A product of two matrices that are both stored the other way round: copies are along the rows that are there.
// inputs: random:KxN; random:MxK where N = 1 33; M = 16 31; K = 1 45
// inputs: random:36x65; random:68x36
// inputs: random:3x0; random:5x3
// inputs: random:0x3; random:5x0
// numpy: a.T @ b.T
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[k][n]f32>, %b: !array.array<[m][k]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %at = array.rearrange %a, [1, 0] : [k][n]f32
  %c = array.map (%row in %at : [n][k]f32) {
    %r = array.map (%column in %b : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map arith.mulf combine arith.addf
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  }
  func.return %c : !array.array<[n][m]f32>
}
