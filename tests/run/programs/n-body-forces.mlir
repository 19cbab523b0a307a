// run
// Forces between bodies in the plane: for each body a fused reduction of two sums over all bodies.
// inputs: random:N; random:N; random:N where N = 0 1 31 33 130
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>, %ms: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %soft = arith.constant 0.5 : f32
  %fx, %fy = array.map (%x in %xs : [n]f32, %y in %ys : [n]f32) {
    %ax, %ay = array.redomap (%u in %xs : [n]f32, %v in %ys : [n]f32, %m in %ms : [n]f32) init (%zero : f32, %zero : f32) map {
      %dx = arith.subf %u, %x : f32
      %dy = arith.subf %v, %y : f32
      %dx2 = arith.mulf %dx, %dx : f32
      %dy2 = arith.mulf %dy, %dy : f32
      %d2 = arith.addf %dx2, %dy2 : f32
      %r2 = arith.addf %d2, %soft : f32
      %w = arith.divf %m, %r2 : f32
      %gx = arith.mulf %w, %dx : f32
      %gy = arith.mulf %w, %dy : f32
      array.yield %gx, %gy : f32, f32
    } combine (%a, %b, %c, %d) {
      %e = arith.addf %a, %c : f32
      %f = arith.addf %b, %d : f32
      array.yield %e, %f : f32, f32
    }
    array.yield %ax, %ay : f32, f32
  }
  func.return %fx, %fy : !array.array<[n]f32>, !array.array<[n]f32>
}
