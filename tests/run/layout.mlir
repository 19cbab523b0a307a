// run
// Other arrays of the same elements: index arithmetic in the kernels that read them.
// inputs: [1, 2, 3]
// outputs: [3, 2, 1, 1, 2, 3, 4, -5, 7]; [9, 1, 2, 7]; [[3], [2], [1]]
// inputs: random:N where N = 1 33 1000
// structure: kernel.segmap 3
// versions: kernel.segmap 3
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[?]i32>, !array.array<[?]i32>, !array.array<[n][1]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %back = arith.constant -1 : index
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  %n = array.dim %xs, 0 : [n]i32
  %numbers = arith.constant dense<[4, -5, 7]> : tensor<3xi32>
  %literal = array.from_tensor %numbers : tensor<3xi32>
  %reversed = array.reverse %xs, 0 : [n]i32
  %joined = array.concat %reversed, %xs, %literal : [n]i32, [n]i32, [3]i32 -> [?]i32
  %is = array.iota %n : [n]index
  %order = array.reverse %is, 0 : [n]index
  %gathered = array.gather %xs[%order] : [n]i32, [n]index
  %updated = array.update %seven, %gathered[%c0] : i32, [n]i32
  %last = arith.subi %n, %c1 : index
  %slice = array.slice %updated[%last] sizes [%n] strides [%back] : [n]i32 -> [n]i32
  %padded = array.pad %slice, %nine low [%c1] high [%c0] : [n]i32 -> [?]i32
  %column = array.reshape %reversed, [%n, %c1] : [n]i32 -> [n][1]i32
  func.return %joined, %padded, %column : !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[n][1]i32>
}
