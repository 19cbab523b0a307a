// run
// Sixteen-bit floats are loaded, computed with and stored as such.
// inputs: [1.5, 2.0, -0.5]
// outputs: [2.75, 4.5, 0.75]
// inputs: random:N where N = 0 1 257
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]f16>) -> !array.array<[n]f16> {
  %half = arith.constant 0.5 : f16
  %ys = array.map (%x in %xs : [n]f16) {
    %t = arith.mulf %x, %x : f16
    %y = arith.addf %t, %half : f16
    array.yield %y : f16
  }
  func.return %ys : !array.array<[n]f16>
}
