// run
// Elimination without pivoting: a loop on the host around maps over what is below each pivot.
// inputs: [[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [8.0, 7.0, 9.0]]
// outputs: [[2.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 2.0]]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: !array.array<[n][n]f64>) -> !array.array<[n][n]f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = array.dim %a, 0 : [n][n]f64
  %is = array.iota %n : [n]index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a) -> (!array.array<[n][n]f64>) {
    %pivot = array.index %u[%k, %k] : [n][n]f64
    %row = array.index %u[%k] : [n][n]f64
    %next = array.map (%i in %is : [n]index, %old in %u : [n][n]f64) {
      %below = arith.cmpi ugt, %i, %k : index
      %x = array.index %old[%k] : [n]f64
      %q = arith.divf %x, %pivot : f64
      %factor = arith.select %below, %q, %zero : f64
      %new = array.map (%e in %old : [n]f64, %p in %row : [n]f64) {
        %s = arith.mulf %factor, %p : f64
        %d = arith.subf %e, %s : f64
        array.yield %d : f64
      }
      array.yield %new : [n]f64
    }
    scf.yield %next : !array.array<[n][n]f64>
  }
  func.return %r : !array.array<[n][n]f64>
}
