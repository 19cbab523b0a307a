// run
// A matrix product, the map nest being five lines: bodies that are one op are the name of that op.
// inputs: random:NxK; random:KxM where N = 0 1 5; K = 0 1 33; M = 1 31
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]f32>, %b: !array.array<[k][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %c = array.map (%row in %a : [n][k]f32) {
    %r = array.map (%column in %bt : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map arith.mulf combine arith.addf
      array.yield %dot : f32 }
    array.yield %r : [m]f32 }
  func.return %c : !array.array<[n][m]f32>
}
