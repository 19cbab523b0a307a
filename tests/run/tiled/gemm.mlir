// run
// alpha a b + beta c with a bias for each column, an activation and a residual: code around the sum, in its kernel.
// inputs: 0.5; random:NxK; random:KxM; 2.0; random:NxM; random:M; random:NxM where N = 1 33; M = 16 31; K = 1 45
// inputs: 0.5; random:65x36; random:36x68; 0.25; random:65x68; random:68; random:65x68
// inputs: 0.5; random:0x3; random:3x5; 2.0; random:0x5; random:5; random:0x5
// inputs: 0.5; random:3x0; random:0x5; 2.0; random:3x5; random:5; random:3x5
// numpy: np.maximum(alpha * (a @ b) + beta * c + bias, np.float32(0.0)) + skip
// structure: kernel.segmap 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%alpha: f32, %a: !array.array<[n][k]f32>, %b: !array.array<[k][m]f32>, %beta: f32, %c: !array.array<[n][m]f32>, %bias: !array.array<[m]f32>, %skip: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %d = array.map (%row in %a : [n][k]f32, %cs in %c : [n][m]f32, %ss in %skip : [n][m]f32) {
    %r = array.map (%column in %bt : [m][k]f32, %e in %cs : [m]f32, %s in %ss : [m]f32, %o in %bias : [m]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map arith.mulf combine arith.addf
      %p = arith.mulf %alpha, %dot : f32
      %q = arith.mulf %beta, %e : f32
      %t = arith.addf %p, %q : f32
      %u = arith.addf %t, %o : f32
      %v = arith.maximumf %u, %zero : f32
      %w = arith.addf %v, %s : f32
      array.yield %w : f32
    }
    array.yield %r : [m]f32
  }
  func.return %d : !array.array<[n][m]f32>
}
