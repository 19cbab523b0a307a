// run
// Stencils with the weights of arrays: of constant sizes; of sizes that the program may get wrong, which stops it.
// inputs: random:NxM; random:3x3; random:K where N = 1 3 41; M = 1 3 300; K = 3 5
// inputs: random:0x5; random:3x3; random:2
// inputs: random:4x5; random:3x3; random:2
// error: index 2 is out of range for dimension 0 of [k]f32, which has 2
// numpy: n, m = a.shape
// numpy: p = np.pad(a, 1, mode="edge") if a.size else a
// numpy: q = np.pad(a, ((0, 0), (1, 1)), mode="wrap") if a.size else a
// numpy: nine = sum((p[i:i + n, j:j + m] * f[i, j] for i in range(3) for j in range(3)), np.zeros_like(a)) if a.size else a
// numpy: nine, sum((q[:, j:j + m] * g[j] for j in range(3)), np.zeros_like(a)) if a.size else a
// structure: kernel.segmap 2
// versions: kernel.segmap 2
// shapes: 5
func.func @main(%a: !array.array<[n][m]f32>, %f: !array.array<[3][3]f32>, %g: !array.array<[k]f32>) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = array.dim %a, 0 : [n][m]f32
  %m = array.dim %a, 1 : [n][m]f32
  %bottom = arith.subi %n, %c1 : index
  %right = arith.subi %m, %c1 : index
  %ys = array.iota %n : [n]index
  %xs = array.iota %m : [m]index
  %r = array.map (%y in %ys : [n]index) {
    %row = array.map (%x in %xs : [m]index) {
      %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (f32) {
        %down = arith.addi %y, %i : index
        %up = arith.subi %down, %c1 : index
        %below = arith.maxsi %up, %c0 : index
        %v = arith.minsi %below, %bottom : index
        %line = scf.for %j = %c0 to %c3 step %c1 iter_args(%inner = %outer) -> (f32) {
          %along = arith.addi %x, %j : index
          %back = arith.subi %along, %c1 : index
          %after = arith.maxsi %back, %c0 : index
          %u = arith.minsi %after, %right : index
          %value = array.index %a[%v, %u] : [n][m]f32
          %weight = array.index %f[%i, %j] : [3][3]f32
          %weighted = arith.mulf %value, %weight : f32
          %next = arith.addf %inner, %weighted : f32
          scf.yield %next : f32
        }
        scf.yield %line : f32
      }
      array.yield %sum : f32
    }
    array.yield %row : [m]f32
  }
  %s = array.stencil (%p, %q, %t in %a : [n][m]f32 at [[0, -1], [0, 0], [0, 1]] wrap) {
    %w0 = array.index %g[%c0] : [k]f32
    %w1 = array.index %g[%c1] : [k]f32
    %w2 = array.index %g[%c2] : [k]f32
    %x = arith.mulf %p, %w0 : f32
    %y = arith.mulf %q, %w1 : f32
    %z = arith.mulf %t, %w2 : f32
    %xy = arith.addf %x, %y : f32
    %xyz = arith.addf %xy, %z : f32
    array.yield %xyz : f32
  }
  func.return %r, %s : !array.array<[n][m]f32>, !array.array<[n][m]f32>
}
