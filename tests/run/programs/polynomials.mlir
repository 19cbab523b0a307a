// run
// Polynomials at points by Horner's rule: a loop inside a map of maps, its bound the number of coefficients.
// inputs: [[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]; [2.0, -1.0]
// outputs: [[17.0, 2.0], [2.0, -1.0]]
// inputs: random:NxK; random:M where N = 0 1 5; K = 0 1 4; M = 1 33 1025
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%polynomials: !array.array<[n][k]f32>, %xs: !array.array<[m]f32>) -> !array.array<[n][m]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %k = array.dim %polynomials, 1 : [n][k]f32
  %values = array.map (%p in %polynomials : [n][k]f32) {
    %ys = array.map (%x in %xs : [m]f32) {
      %y = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %zero) -> (f32) {
        %up = arith.addi %i, %c1 : index
        %at = arith.subi %k, %up : index
        %c = array.index %p[%at] : [k]f32
        %s = arith.mulf %acc, %x : f32
        %t = arith.addf %s, %c : f32
        scf.yield %t : f32
      }
      array.yield %y : f32
    }
    array.yield %ys : [m]f32
  }
  func.return %values : !array.array<[n][m]f32>
}
