// run
// As stencil-unknown-steps, in the plane, of an array that a map makes.
// inputs: random:NxM; K where N = 0 1 3 37; M = 1 2 70; K = 0 1 5
// numpy: u = a * 0.25
// numpy: for t in range(k if a.size else 0):
// numpy:     p = np.pad(u, 1, mode="edge")
// numpy:     u = ((p[:-2, 1:-1] + p[2:, 1:-1]) + (p[1:-1, :-2] + p[1:-1, 2:])) * 0.25
// numpy: u
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[?][?]f64>, %k: index) -> !array.array<[?][?]f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = arith.constant 0.25 : f64
  %n = array.dim %a, 0 : [?][?]f64
  %m = array.dim %a, 1 : [?][?]f64
  %bottom = arith.subi %n, %c1 : index
  %right = arith.subi %m, %c1 : index
  %is = array.iota %n : [?]index
  %js = array.iota %m : [?]index
  %b = array.map (%row in %a : [?][?]f64) {
    %new = array.map (%x in %row : [?]f64) {
      %y = arith.mulf %x, %q : f64
      array.yield %y : f64
    }
    array.yield %new : [?]f64
  }
  %r = scf.for %t = %c0 to %k step %c1 iter_args(%u = %b) -> (!array.array<[?][?]f64>) {
    %v = array.map (%i in %is : [?]index) {
      %row = array.map (%j in %js : [?]index) {
        %i0 = arith.subi %i, %c1 : index
        %i1 = arith.maxsi %i0, %c0 : index
        %i2 = arith.addi %i, %c1 : index
        %i3 = arith.minsi %i2, %bottom : index
        %j0 = arith.subi %j, %c1 : index
        %j1 = arith.maxsi %j0, %c0 : index
        %j2 = arith.addi %j, %c1 : index
        %j3 = arith.minsi %j2, %right : index
        %x0 = array.index %u[%i1, %j] : [?][?]f64
        %x1 = array.index %u[%i3, %j] : [?][?]f64
        %x2 = array.index %u[%i, %j1] : [?][?]f64
        %x3 = array.index %u[%i, %j3] : [?][?]f64
        %s0 = arith.addf %x0, %x1 : f64
        %s1 = arith.addf %x2, %x3 : f64
        %s2 = arith.addf %s0, %s1 : f64
        %s3 = arith.mulf %s2, %q : f64
        array.yield %s3 : f64
      }
      array.yield %row : [?]f64
    }
    scf.yield %v : !array.array<[?][?]f64>
  }
  func.return %r : !array.array<[?][?]f64>
}
