// run
// Steps of two fields, each of which a stencil and a map of both make: one stencil with two results, several steps of it by one kernel.
// inputs: random:33x70; random:33x70; K where K = 0 1 9
// inputs: random:2x1; random:2x1; 5
// inputs: random:64x130; random:64x130; 9
// inputs: random:0x3; random:0x3; 2
// numpy: f, q = np.float32(0.03), np.float32(0.25)
// numpy: def mean(u):
// numpy:     p = np.pad(u, 1, mode="wrap")
// numpy:     return ((p[:-2, 1:-1] + p[1:-1, :-2]) + (p[1:-1, 2:] + p[2:, 1:-1])) * q
// numpy: u, v = a, b
// numpy: for _ in range(steps if a.size else 0):
// numpy:     s = u * (v * v)
// numpy:     u, v = u + (mean(u) - s) * f, v + (mean(v) + s) * f
// numpy: u, v
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: !array.array<[n][m]f32>, %b: !array.array<[n][m]f32>, %steps: index) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = arith.constant 0.25 : f32
  %f = arith.constant 0.03 : f32
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %a, %v = %b) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>) {
    %lu = array.stencil (%up, %l, %r, %d in %u : [n][m]f32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] wrap) {
      %x = arith.addf %up, %l : f32
      %y = arith.addf %r, %d : f32
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %q : f32
      array.yield %w : f32
    }
    %lv = array.stencil (%up, %l, %r, %d in %v : [n][m]f32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] wrap) {
      %x = arith.addf %up, %l : f32
      %y = arith.addf %r, %d : f32
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %q : f32
      array.yield %w : f32
    }
    %nu = array.map (%ur in %u : [n][m]f32, %vr in %v : [n][m]f32, %lr in %lu : [n][m]f32) {
      %row = array.map (%x in %ur : [m]f32, %y in %vr : [m]f32, %l in %lr : [m]f32) {
        %yy = arith.mulf %y, %y : f32
        %xyy = arith.mulf %x, %yy : f32
        %s = arith.subf %l, %xyy : f32
        %k = arith.mulf %s, %f : f32
        %z = arith.addf %x, %k : f32
        array.yield %z : f32
      }
      array.yield %row : [m]f32
    }
    %nv = array.map (%ur in %u : [n][m]f32, %vr in %v : [n][m]f32, %lr in %lv : [n][m]f32) {
      %row = array.map (%x in %ur : [m]f32, %y in %vr : [m]f32, %l in %lr : [m]f32) {
        %yy = arith.mulf %y, %y : f32
        %xyy = arith.mulf %x, %yy : f32
        %s = arith.addf %l, %xyy : f32
        %k = arith.mulf %s, %f : f32
        %z = arith.addf %y, %k : f32
        array.yield %z : f32
      }
      array.yield %row : [m]f32
    }
    scf.yield %nu, %nv : !array.array<[n][m]f32>, !array.array<[n][m]f32>
  }
  func.return %r#0, %r#1 : !array.array<[n][m]f32>, !array.array<[n][m]f32>
}
