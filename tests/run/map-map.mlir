// run
// A map inside a map becomes one two-dimensional kernel.
// inputs: random:NxM where N = 0 1 3 257; M = 0 1 31 256
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %half = arith.constant 0.5 : f32
  %yss = array.map (%row in %xss : [n][m]f32) {
    %ys = array.map (%x in %row : [m]f32) {
      %y = arith.mulf %x, %half : f32
      array.yield %y : f32
    }
    array.yield %ys : !array.array<[m]f32>
  }
  func.return %yss : !array.array<[n][m]f32>
}
