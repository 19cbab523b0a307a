// run
// A product of complex matrices: four arrays, two accumulators.
// inputs: random:NxK; random:NxK; random:KxM; random:KxM where N = 1 33; M = 16 31; K = 1 45
// inputs: random:0x3; random:0x3; random:3x5; random:3x5
// inputs: random:3x0; random:3x0; random:0x5; random:0x5
// numpy: ar @ br - ai @ bi, ar @ bi + ai @ br
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%ar: !array.array<[n][k]f32>, %ai: !array.array<[n][k]f32>, %br: !array.array<[k][m]f32>, %bi: !array.array<[k][m]f32>) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>) {
  %zero = arith.constant 0.0 : f32
  %btr = array.rearrange %br, [1, 0] : [k][m]f32
  %bti = array.rearrange %bi, [1, 0] : [k][m]f32
  %c:2 = array.map (%rr in %ar : [n][k]f32, %ri in %ai : [n][k]f32) {
    %r:2 = array.map (%cr in %btr : [m][k]f32, %ci in %bti : [m][k]f32) {
      %dot:2 = array.redomap (%xr in %rr : [k]f32, %xi in %ri : [k]f32, %yr in %cr : [k]f32, %yi in %ci : [k]f32) init (%zero : f32, %zero : f32) map {
        %p = arith.mulf %xr, %yr : f32
        %q = arith.mulf %xi, %yi : f32
        %u = arith.subf %p, %q : f32
        %v = arith.mulf %xr, %yi : f32
        %w = arith.mulf %xi, %yr : f32
        %z = arith.addf %v, %w : f32
        array.yield %u, %z : f32, f32
      } combine (%a, %b, %d, %e) {
        %s = arith.addf %a, %d : f32
        %t = arith.addf %b, %e : f32
        array.yield %s, %t : f32, f32
      }
      array.yield %dot#0, %dot#1 : f32, f32
    }
    array.yield %r#0, %r#1 : [m]f32, [m]f32
  }
  func.return %c#0, %c#1 : !array.array<[n][m]f32>, !array.array<[n][m]f32>
}
