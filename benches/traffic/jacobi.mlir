// A hundred Jacobi steps in the plane; edges are repeated.
func.func @main(%a: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %c0 = arith.constant 0 : index
  %steps = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %q = arith.constant 0.25 : f32
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %a) -> (!array.array<[n][m]f32>) {
    %v = array.stencil (%up, %l, %r, %d in %u : [n][m]f32 at [[-1, 0], [0, -1], [0, 1], [1, 0]] clamp) {
      %x = arith.addf %up, %l : f32
      %y = arith.addf %r, %d : f32
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %z, %q : f32
      array.yield %w : f32
    }
    scf.yield %v : !array.array<[n][m]f32>
  }
  func.return %r : !array.array<[n][m]f32>
}
