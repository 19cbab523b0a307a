// run
// An element put outside of a row stops the program: for one place for all points and for one of each.
// inputs: [[1, 2], [3, 4]]; 1; [0, 1]
// outputs: [[1, 7], [3, 7]]; [[7, 2], [3, 7]]
// inputs: [[1, 2], [3, 4]]; 2; [0, 1]
// error: :17:10: ... 'array.update' op index 2 is out of range for dimension 0 of [m]i32, which has 2
// inputs: [[1, 2], [3, 4]]; 1; [0, -1]
// error: :21:10: ... 'array.update' op index -1 is out of range for dimension 0 of [m]i32, which has 2
// inputs: random:0x2; 2; []
// outputs: random:0x2; random:0x2
// structure: kernel.segmap 3
// versions: kernel.segmap 3
// shapes: 5
func.func @main(%xss: !array.array<[n][m]i32>, %k: index, %ks: !array.array<[n]index>) -> (!array.array<[n][m]i32>, !array.array<[n][m]i32>) {
  %seven = arith.constant 7 : i32
  %r = array.map (%xs in %xss : [n][m]i32) {
    %u = array.update %seven, %xs[%k] : i32, [m]i32
    array.yield %u : [m]i32
  }
  %s = array.map (%xs in %xss : [n][m]i32, %at in %ks : [n]index) {
    %u = array.update %seven, %xs[%at] : i32, [m]i32
    array.yield %u : [m]i32
  }
  func.return %r, %s : !array.array<[n][m]i32>, !array.array<[n][m]i32>
}
