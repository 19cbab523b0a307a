// run
// A point's own index needs no check in the dimension that it traverses, and has one in another that may be shorter, inside
// of a map, too.
// inputs: random:3x3; random:2x3x3
// inputs: random:2x3; random:1x3x4
// inputs: random:0x0; random:1x0x1
// inputs: random:1x0; random:1x1x1
// error: index 0 is out of range for dimension 1
// inputs: random:257x256; random:1x1x1
// error: index 256 is out of range for dimension 1
// inputs: random:1x1; random:2x4x3
// error: index 3 is out of range for dimension 1
// structure: kernel.segmap 2
// versions: kernel.segmap 2
// shapes: 4
func.func @main(%a: !array.array<[n][m]f32>, %bs: !array.array<[k][p][q]f32>) -> (!array.array<[n]f32>, !array.array<[k][p]f32>) {
  %n = array.dim %a, 0 : [n][m]f32
  %is = array.iota %n : [n]index
  %d = array.map (%i in %is : [n]index) {
    %e = array.index %a[%i, %i] : [n][m]f32
    array.yield %e : f32
  }
  %p = array.dim %bs, 1 : [k][p][q]f32
  %js = array.iota %p : [p]index
  %ds = array.map (%b in %bs : [k][p][q]f32) {
    %row = array.map (%j in %js : [p]index) {
      %e = array.index %b[%j, %j] : [p][q]f32
      array.yield %e : f32
    }
    array.yield %row : !array.array<[p]f32>
  }
  func.return %d, %ds : !array.array<[n]f32>, !array.array<[k][p]f32>
}
