// run
// A contraction of two tensors over two indices, the others in any order: c[a][b][i][j] = sum k, l of x[a][k][i][l] y[l][b][k][j].
// inputs: random:AxKxIxL; random:LxBxKxJ where A = 2; B = 3; I = 1 9; J = 2 33; K = 4; L = 5
// inputs: random:2x0x3x4; random:4x1x0x5
// inputs: random:2x3x0x4; random:4x1x3x5
// numpy: np.einsum('akil,lbkj->abij', x, y).astype(np.float32)
// structure: kernel.segmap 1
// versions: kernel.segmap 4, kernel.segred 5
func.func @main(%x: !array.array<[a][k][i][l]f32>, %y: !array.array<[l][b][k][j]f32>) -> !array.array<[a][b][i][j]f32> {
  %zero = arith.constant 0.0 : f32
  %xt = array.rearrange %x, [0, 2, 1, 3] : [a][k][i][l]f32
  %yt = array.rearrange %y, [1, 3, 2, 0] : [l][b][k][j]f32
  %r = array.map (%x1 in %xt : [a][i][k][l]f32) {
    %r1 = array.map (%y1 in %yt : [b][j][k][l]f32) {
      %r2 = array.map (%x2 in %x1 : [i][k][l]f32) {
        %r3 = array.map (%y2 in %y1 : [j][k][l]f32) {
          %sum = array.redomap (%x3 in %x2 : [k][l]f32, %y3 in %y2 : [k][l]f32) init (%zero : f32) map {
            %s = array.redomap (%p in %x3 : [l]f32, %q in %y3 : [l]f32) init (%zero : f32) map arith.mulf combine arith.addf
            array.yield %s : f32
          } combine arith.addf
          array.yield %sum : f32
        }
        array.yield %r3 : [j]f32
      }
      array.yield %r2 : [i][j]f32
    }
    array.yield %r1 : [b][i][j]f32
  }
  func.return %r : !array.array<[a][b][i][j]f32>
}
