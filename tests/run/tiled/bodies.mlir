// run
// Each body is pulled by all of them, along a line: tiles of one dimension. The code after the sum uses the body again.
// inputs: random:N; random:N where N = 0 1 31 256 300
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%xs: !array.array<[n]f32>, %ms: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %soft = arith.constant 0.125 : f32
  %fs = array.map (%x in %xs : [n]f32, %m in %ms : [n]f32) {
    %f = array.redomap (%y in %xs : [n]f32, %w in %ms : [n]f32) init (%zero : f32) map {
      %d = arith.subf %y, %x : f32
      %q = arith.mulf %d, %d : f32
      %r = arith.addf %q, %soft : f32
      %p = arith.mulf %d, %w : f32
      %g = arith.divf %p, %r : f32
      array.yield %g : f32
    } combine (%s, %t) {
      %u = arith.addf %s, %t : f32
      array.yield %u : f32
    }
    %h = arith.mulf %f, %m : f32
    array.yield %h : f32
  }
  func.return %fs : !array.array<[n]f32>
}
