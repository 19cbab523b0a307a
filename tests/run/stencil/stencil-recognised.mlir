// run
// Naive programs that are stencils: indices held within an array, and maps over shifted slices; a slice too long stops.
// inputs: random:NxM; 2; 1 where N = 3 41; M = 3 300
// inputs: random:3x4; 0; 2
// inputs: random:3x4; 1; 3
// error: 3 elements from index 2 on reach outside of dimension 1 of [n][m]f32, which has 4
// numpy: n, m = a.shape
// numpy: j = np.arange(m)
// numpy: left, right = a[:, np.maximum(j - 1, 0)], a[:, np.minimum(j + 2, m - 1)]
// numpy: down = np.roll(a, -1, 0)
// numpy: (left + right) + down, a[0:h, 1:w + 1] - a[1:h + 1, 2:w + 2] if w + 2 <= m else a[0:h, 1:w + 1]
// structure: kernel.segmap 2
// versions: kernel.segmap 2
// shapes: 4
func.func @main(%a: !array.array<[n][m]f32>, %h: index, %w: index) -> (!array.array<[n][m]f32>, !array.array<[?][?]f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = array.dim %a, 0 : [n][m]f32
  %m = array.dim %a, 1 : [n][m]f32
  %last = arith.subi %m, %one : index
  %is = array.iota %n : [n]index
  %js = array.iota %m : [m]index
  %r = array.map (%i in %is : [n]index) {
    %row = array.map (%j in %js : [m]index) {
      %j1 = arith.subi %j, %one : index
      %before = arith.maxsi %j1, %zero : index
      %j2 = arith.addi %j, %two : index
      %behind = arith.minsi %j2, %last : index
      %i1 = arith.addi %i, %one : index
      %around = arith.remui %i1, %n : index
      %x = array.index %a[%i, %before] : [n][m]f32
      %y = array.index %a[%i, %behind] : [n][m]f32
      %z = array.index %a[%around, %j] : [n][m]f32
      %s = arith.addf %x, %y : f32
      %t = arith.addf %s, %z : f32
      array.yield %t : f32
    }
    array.yield %row : [m]f32
  }
  %p = array.slice %a[%zero, %one] sizes [%h, %w] strides [%one, %one] : [n][m]f32 -> [?][?]f32
  %q = array.slice %a[%one, %two] sizes [%h, %w] strides [%one, %one] : [n][m]f32 -> [?][?]f32
  %s = array.map (%x in %p : [?][?]f32, %y in %q : [?][?]f32) {
    %t = array.map (%u in %x : [?]f32, %v in %y : [?]f32) {
      %d = arith.subf %u, %v : f32
      array.yield %d : f32
    }
    array.yield %t : [?]f32
  }
  func.return %r, %s : !array.array<[n][m]f32>, !array.array<[?][?]f32>
}
