// run
// A transposition of each element of an array: one transposition for the whole nest, without code at each point.
// inputs: [[[1, 2, 3], [4, 5, 6]]]
// outputs: [[[1, 4], [2, 5], [3, 6]]]
// inputs: random:NxAx5 where N = 0 1 33; A = 0 1 31
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xsss: !array.array<[n][a][b]i32>) -> !array.array<[n][b][a]i32> {
  %r = array.map (%xss in %xsss : [n][a][b]i32) {
    %t = array.rearrange %xss, [1, 0] : [a][b]i32
    array.yield %t : [b][a]i32
  }
  func.return %r : !array.array<[n][b][a]i32>
}
