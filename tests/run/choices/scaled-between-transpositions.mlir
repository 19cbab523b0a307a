// run
// Scaled between two transpositions: one nest, neither transposes.
// inputs: random:RxC; random:R; random:C where R = 0 1 7 33; C = 0 1 5 64
// numpy: w * d[:, None] * e[None, :]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%w: !array.array<[r][c]f32>, %d: !array.array<[r]f32>, %e: !array.array<[c]f32>) -> !array.array<[r][c]f32> {
  %dw = array.map (%f in %d : [r]f32, %row in %w : [r][c]f32) {
    %s = array.map (%v in %row : [c]f32) {
      %y = arith.mulf %v, %f : f32
      array.yield %y : f32
    }
    array.yield %s : [c]f32
  }
  %dwt = array.rearrange %dw, [1, 0] : [r][c]f32
  %ct = array.map (%f in %e : [c]f32, %col in %dwt : [c][r]f32) {
    %s = array.map (%v in %col : [r]f32) {
      %y = arith.mulf %v, %f : f32
      array.yield %y : f32
    }
    array.yield %s : [r]f32
  }
  %cc = array.rearrange %ct, [1, 0] : [c][r]f32
  func.return %cc : !array.array<[r][c]f32>
}
