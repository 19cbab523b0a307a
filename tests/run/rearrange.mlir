// run
// Views with permuted dimensions, read by a map; nothing is copied before.
// inputs: [[[1, 2], [3, 4]]]
// outputs: [[[2], [6]], [[4], [8]]]
// inputs: random:AxBxC where A = 1 3 40; B = 1 33; C = 1 65
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[a][b][c]i32>) -> !array.array<[c][b][a]i32> {
  %t = array.rearrange %xs, [2, 1, 0] : [a][b][c]i32
  %ys = array.map (%plane in %t : [c][b][a]i32) {
    %rows = array.map (%row in %plane : [b][a]i32) {
      %line = array.map (%x in %row : [a]i32) {
        %y = arith.addi %x, %x : i32
        array.yield %y : i32
      }
      array.yield %line : !array.array<[a]i32>
    }
    array.yield %rows : !array.array<[b][a]i32>
  }
  func.return %ys : !array.array<[c][b][a]i32>
}
