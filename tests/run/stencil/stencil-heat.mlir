// run
// Heat in space with a source, step after step; zero outside.
// inputs: random:NxMxK; random:NxMxK; 5 where N = 1 9; M = 2 17; K = 1 33
// inputs: random:3x0x2; random:3x0x2; 4
// numpy: u = heat
// numpy: for _ in range(steps):
// numpy:     p = np.pad(u, 1)
// numpy:     c = p[1:-1, 1:-1, 1:-1]
// numpy:     near = ((p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1]) + (p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1])) + (p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:])
// numpy:     u = (near * np.float32(0.125) + c * np.float32(0.25)) + source
// numpy: u
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%heat: !array.array<[n][m][k]f32>, %source: !array.array<[n][m][k]f32>, %steps: index) -> !array.array<[n][m][k]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %eighth = arith.constant 0.125 : f32
  %quarter = arith.constant 0.25 : f32
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %heat) -> (!array.array<[n][m][k]f32>) {
    %v = array.stencil (%a, %b, %c, %d, %e, %f, %g in %u : [n][m][k]f32 at [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [0, 0, 0]] constant %zero, %s in %source : [n][m][k]f32 at [[0, 0, 0]]) {
      %ab = arith.addf %a, %b : f32
      %cd = arith.addf %c, %d : f32
      %ef = arith.addf %e, %f : f32
      %abcd = arith.addf %ab, %cd : f32
      %near = arith.addf %abcd, %ef : f32
      %x = arith.mulf %near, %eighth : f32
      %y = arith.mulf %g, %quarter : f32
      %z = arith.addf %x, %y : f32
      %w = arith.addf %z, %s : f32
      array.yield %w : f32
    }
    scf.yield %v : !array.array<[n][m][k]f32>
  }
  func.return %r : !array.array<[n][m][k]f32>
}
