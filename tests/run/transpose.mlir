// run
// Transposes, alone, in a batch, and added to an array that is not transposed.
// inputs: random:NxM; random:MxN where N = 0 1 31 32 33; M = 1 65
// inputs: random:1023x1025; random:1025x1023
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[n][m]f32>, %b: !array.array<[m][n]f32>) -> (!array.array<[m][n]f32>, !array.array<[m][n]f32>) {
  %t = array.rearrange %a, [1, 0] : [n][m]f32
  %sum = array.map (%x in %t : [m][n]f32, %y in %b : [m][n]f32) {
    %row = array.map (%u in %x : [n]f32, %v in %y : [n]f32) {
      %s = arith.addf %u, %v : f32
      array.yield %s : f32
    }
    array.yield %row : !array.array<[n]f32>
  }
  func.return %t, %sum : !array.array<[m][n]f32>, !array.array<[m][n]f32>
}
