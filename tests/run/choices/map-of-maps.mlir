// run
// A map of maps around numbers is one nest in one version.
// inputs: random:MxN; random:MxN where M = 0 1 33; N = 0 1 5 64
// numpy: a + b
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: !array.array<[m][n]f32>, %b: !array.array<[m][n]f32>) -> (!array.array<[m][n]f32>) {
  %C = array.map (%r in %a : [m][n]f32, %s in %b : [m][n]f32) {
    %t = array.map (%u in %r : [n]f32, %v in %s : [n]f32) arith.addf
    array.yield %t : [n]f32
  }
  func.return %C : !array.array<[m][n]f32>
}
