// run
// Jacobi steps on a line with fixed ends: padded copies at each step of a loop on the host.
// inputs: [0.0, 8.0, 0.0, 8.0, 0.0]; 1
// outputs: [4.0, 0.0, 8.0, 0.0, 4.0]
// inputs: random:N; K where N = 0 1 31 33 1025; K = 0 3
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]f32>, %steps: index) -> !array.array<[n]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %n = array.dim %xs, 0 : [n]f32
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %xs) -> (!array.array<[n]f32>) {
    %wide = array.pad %u, %zero low [%c1] high [%c1] : [n]f32 -> [?]f32
    %left = array.slice %wide[%c0] sizes [%n] strides [%c1] : [?]f32 -> [n]f32
    %right = array.slice %wide[%c2] sizes [%n] strides [%c1] : [?]f32 -> [n]f32
    %next = array.map (%a in %left : [n]f32, %b in %right : [n]f32) {
      %s = arith.addf %a, %b : f32
      %m = arith.mulf %s, %half : f32
      array.yield %m : f32
    }
    scf.yield %next : !array.array<[n]f32>
  }
  func.return %r : !array.array<[n]f32>
}
