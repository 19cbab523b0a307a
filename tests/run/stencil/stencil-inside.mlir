// run
// Results with sizes of their own: nothing outside is read, and inputs may be larger.
// inputs: random:NxM; random:64x64 where N = 2 3 17; M = 3 4 40
// inputs: random:1x3; random:64x64
// inputs: random:2x2; random:64x64
// inputs: random:0x2; random:64x64
// error: a size cannot be -1
// inputs: random:20x30; random:20x30
// error: dimension 0 of input #1 has 20
// numpy: n, m = a.shape
// numpy: a[:n - 1, :m - 2] + a[1:, 2:] - b[3:n + 2, 1:m - 1]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 0
func.func @main(%a: !array.array<[n][m]f32>, %b: !array.array<[p][q]f32>) -> !array.array<[?][?]f32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = array.dim %a, 0 : [n][m]f32
  %m = array.dim %a, 1 : [n][m]f32
  %h = arith.subi %n, %one : index
  %w = arith.subi %m, %two : index
  %r = array.stencil (%x, %y in %a : [n][m]f32 at [[0, 0], [1, 2]], %z in %b : [p][q]f32 at [[3, 1]]) sizes [%h, %w] -> [?][?] {
    %s = arith.addf %x, %y : f32
    %t = arith.subf %s, %z : f32
    array.yield %t : f32
  }
  func.return %r : !array.array<[?][?]f32>
}
