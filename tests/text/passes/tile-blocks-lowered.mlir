// pass: builtin.module(tile-blocks{tile=64},canonicalize,cse,dce,lower-to-gpu,canonicalize,cse,dce)
// Along a line: a copy of 64 elements per step in shared memory, a barrier before it is written and one before it is
// read, the sum in a register of each thread, the results where they belong.
func.func @pairs(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = kernel.read %xs[%i] : tensor<?xf32>
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %y = kernel.read %xs[%k] : tensor<?xf32>
      %d = arith.subf %y, %x : f32
      %next = arith.addf %acc, %d : f32
      scf.yield %next : f32
    }
    kernel.return %s : f32
  }
  func.return %r : tensor<?xf32>
}
