// pass: builtin.module(tile-blocks,canonicalize,cse,dce)
// A matrix product in tiles of 16 by 16: a copy of each matrix's tile per step, sums that the loop carries for each thread.
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: index, %n: index, %u: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %m, %j < %n) -> (tensor<?x?xf32>) {
    %s = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = kernel.read %a[%i, %k] : tensor<?x?xf32>
      %y = kernel.read %b[%k, %j] : tensor<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %acc, %p : f32
      scf.yield %next : f32
    }
    kernel.return %s : f32
  }
  func.return %r : tensor<?x?xf32>
}
