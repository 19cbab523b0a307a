// run
// Elements at computed indices, all in range: the array reversed.
// inputs: [1.0, 2.0, 3.0]
// outputs: [3.0, 2.0, 1.0]
// inputs: random:N where N = 0 1 255 1000
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %one = arith.constant 1 : index
  %n = array.dim %xs, 0 : [n]f32
  %is = array.iota %n : [n]index
  %ys = array.map (%i in %is : [n]index) {
    %rest = arith.subi %n, %i : index
    %at = arith.subi %rest, %one : index
    %y = array.index %xs[%at] : [n]f32
    array.yield %y : f32
  }
  func.return %ys : !array.array<[n]f32>
}
