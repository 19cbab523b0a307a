// run
// Shortest ways of two steps: sums, combined by the least, which starts from infinity.
// inputs: random:NxK; random:KxM where N = 1 33; M = 16 31; K = 1 45
// inputs: random:0x3; random:3x5
// inputs: random:3x0; random:0x5
// numpy: np.minimum.reduce([a[:, k, None] + b[k] for k in range(len(b))], initial=np.float32(np.inf)) if len(b) else np.full((len(a), b.shape[1]), np.inf, np.float32)
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]f32>, %b: !array.array<[k][m]f32>) -> !array.array<[n][m]f32> {
  %most = arith.constant 0x7F800000 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %c = array.map (%row in %a : [n][k]f32) {
    %r = array.map (%column in %bt : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%most : f32) map arith.addf combine arith.minimumf
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  }
  func.return %c : !array.array<[n][m]f32>
}
