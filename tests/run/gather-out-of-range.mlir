// run
// A gathered index that is out of range is reported as that of array.index is, also through views of the gathered array.
// inputs: [1.5, 2.5, 3.5]; [0, 2, 1]
// outputs: [1.5, 3.5, 2.5]; [3.5, 1.5, 2.5]
// inputs: [1.5, 2.5, 3.5]; [0, 3, 1]
// error: out
// inputs: [1.5, 2.5, 3.5]; [0, -1, 1]
// error: out
// inputs: []; []
// outputs: []; []
// shapes: 6
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]f32>, %is: !array.array<[m]index>) -> (!array.array<[m]f32>, !array.array<[m]f32>) {
  %ys = array.gather %xs[%is] : [n]f32, [m]index
  %back = array.reverse %xs, 0 : [n]f32
  %zs = array.gather %back[%is] : [n]f32, [m]index
  func.return %ys, %zs : !array.array<[m]f32>, !array.array<[m]f32>
}
