// run
// Rows of one size come of parts whose sizes only the points know, and check.
// inputs: [[1, 2, 3], [4, 5, 6]]; [2, 0]
// outputs: [[1, 2, 0], [0, 0, 0]]
// structure: kernel.seghist 0, kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]index>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = array.dim %xss, 1 : [n][m]i32
  %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]index) {
    %p = array.slice %xs[%c0] sizes [%k] strides [%c1] : [m]i32 -> [?]i32
    %count = array.dim %p, 0 : [?]i32
    %rest = arith.subi %m, %count : index
    %more = arith.maxsi %rest, %c0 : index
    %padded = array.pad %p, %zero low [%c0] high [%more] : [?]i32 -> [?]i32
    %s = array.slice %padded[%c0] sizes [%m] strides [%c1] : [?]i32 -> [m]i32
    array.yield %s : !array.array<[m]i32>
  }
  func.return %r : !array.array<[n][m]i32>
}
