// run
// A product whose elements are arrays: the sums of rows become sums of their elements, and those are tiled.
// inputs: random:3x4x2; random:4x5x2
// inputs: random:33x17x3; random:17x35x3
// inputs: random:1x0x4; random:0x2x4
// inputs: random:64x40x1; random:40x65x1
// numpy: np.einsum('ikc,kjc->ijc', a.astype(np.float64), b.astype(np.float64)).astype(np.float32)
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][m][q]f32>, %b: !array.array<[m][l][q]f32>) -> !array.array<[n][l][q]f32> {
  %zero = arith.constant 0.0 : f32
  %c4 = array.dim %a, 2 : [n][m][q]f32
  %start = array.replicate %zero, [%c4] : f32 -> [q]f32
  %bt = array.rearrange %b, [1, 0, 2] : [m][l][q]f32
  %r = array.map (%as in %a : [n][m][q]f32) {
    %row = array.map (%bs in %bt : [l][m][q]f32) {
      %ps = array.map (%x in %as : [m][q]f32, %y in %bs : [m][q]f32) {
        %v = array.map (%p in %x : [q]f32, %q in %y : [q]f32) {
          %z = arith.mulf %p, %q fastmath<contract,reassoc> : f32
          array.yield %z : f32
        }
        array.yield %v : [q]f32
      }
      %s = array.reduce (%ps : [m][q]f32) init (%start : [q]f32) combine (%acc, %e) {
        %w = array.map (%p in %acc : [q]f32, %q in %e : [q]f32) {
          %z = arith.addf %p, %q fastmath<contract,reassoc> : f32
          array.yield %z : f32
        }
        array.yield %w : [q]f32
      }
      array.yield %s : [q]f32
    }
    array.yield %row : [l][q]f32
  }
  func.return %r : !array.array<[n][l][q]f32>
}
