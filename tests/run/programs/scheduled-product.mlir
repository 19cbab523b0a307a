// run
// A matrix product with a schedule of its own: a thread block has 16 by 32 points, a thread 4 by 4 of them.
// inputs: random:NxK; random:KxM where N = 0 1 33; M = 16 31; K = 0 1 16 45
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: !array.array<[n][k]f32>, %b: !array.array<[k][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %c = array.map (%row in %a : [n][k]f32) {
    %r = array.map (%column in %bt : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map {
        %p = arith.mulf %x, %y : f32
        array.yield %p : f32
      } combine (%s, %t) {
        %u = arith.addf %s, %t : f32
        array.yield %u : f32
      }
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  } {schedule = #kernel.schedule<stripmine [16, 32] registers [4, 4], peel 8, chunk 8, distribute, interchange, stage, pipeline 2, repeat>}
  func.return %c : !array.array<[n][m]f32>
}
