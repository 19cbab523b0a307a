// run
// LU decomposition of each matrix of a batch: a loop in a map around maps, the loop's bound the same for all.
// inputs: [[[4.0, 3.0], [6.0, 3.0]], [[2.0, 1.0], [8.0, 7.0]]]
// outputs: [[[4.0, 3.0], [1.5, -1.5]], [[2.0, 1.0], [4.0, 3.0]]]
// inputs: random:BxNxN where B = 0 1 3; N = 0 1 2 5
// structure: kernel.segmap 1
// versions: kernel.segmap 5
func.func @main(%batch: !array.array<[b][n][n]f64>) -> !array.array<[b][n][n]f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.dim %batch, 1 : [b][n][n]f64
  %is = array.iota %n : [n]index
  %r = array.map (%a in %batch : [b][n][n]f64) {
    %lu = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a) -> (!array.array<[n][n]f64>) {
      %pivot = array.index %u[%k, %k] : [n][n]f64
      %next = array.map (%i in %is : [n]index) {
        %below = arith.cmpi ugt, %i, %k : index
        %lead = array.index %u[%i, %k] : [n][n]f64
        %factor = arith.divf %lead, %pivot : f64
        %row = array.map (%j in %is : [n]index) {
          %old = array.index %u[%i, %j] : [n][n]f64
          %p = array.index %u[%k, %j] : [n][n]f64
          %after = arith.cmpi ugt, %j, %k : index
          %at = arith.cmpi eq, %j, %k : index
          %s = arith.mulf %factor, %p : f64
          %d = arith.subf %old, %s : f64
          %x = arith.select %after, %d, %old : f64
          %y = arith.select %at, %factor, %x : f64
          %z = arith.select %below, %y, %old : f64
          array.yield %z : f64
        }
        array.yield %row : [n]f64
      }
      scf.yield %next : !array.array<[n][n]f64>
    }
    array.yield %lu : [n][n]f64
  }
  func.return %r : !array.array<[b][n][n]f64>
}
