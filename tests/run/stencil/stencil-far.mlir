// run
// Naive programs whose indices are wrapped or mirrored by more than one, with extents that the host asks: those that are smaller than
// the distance read what the program says.
// inputs: random:NxM where N = 0 1 2 3 4 5 37; M = 1 4 41
// numpy: n, m = a.shape
// numpy: def at(i, c, n):
// numpy:     return ((i + c + n) % 2**64 % n) if n else i
// numpy: i, j = np.arange(n).astype(object), np.arange(m).astype(object)
// numpy: f = lambda x: np.array(x, dtype=np.int64)
// numpy: wrapped = a[f(at(i, -4, n))] + a[:, f(at(j, -2, m))] * a[f(at(i, 1, n))]
// numpy: wrapped
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = array.dim %a, 0 : [n][m]f32
  %m = array.dim %a, 1 : [n][m]f32
  %is = array.iota %n : [n]index
  %js = array.iota %m : [m]index
  %r = array.map (%i in %is : [n]index) {
    %row = array.map (%j in %js : [m]index) {
      %up = arith.subi %i, %c4 : index
      %raised = arith.addi %up, %n : index
      %i0 = arith.remui %raised, %n : index
      %x0 = array.index %a[%i0, %j] : [n][m]f32
      %left = arith.subi %j, %c2 : index
      %again = arith.addi %left, %m : index
      %j1 = arith.remui %again, %m : index
      %x1 = array.index %a[%i, %j1] : [n][m]f32
      %down = arith.addi %i, %c1 : index
      %i2 = arith.remui %down, %n : index
      %x2 = array.index %a[%i2, %j] : [n][m]f32
      %p = arith.mulf %x1, %x2 : f32
      %s = arith.addf %x0, %p : f32
      array.yield %s : f32
    }
    array.yield %row : [m]f32
  }
  func.return %r : !array.array<[n][m]f32>
}
