// pass: builtin.module(gpu.module(contract-fma))
// Sums that a loop accumulates take their products in, on either side and along a chain; a sum of its own does not.
gpu.module @kernels {
  gpu.func @k(%xs: memref<?xf32>, %n: index, %a: f32, %b: f32, %c: f32) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (f32) {
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %p, %acc : f32
      %q = arith.mulf %b, %b : f32
      %t = arith.subf %s, %q : f32
      scf.yield %t : f32
    }
    %p = arith.mulf %a, %sum : f32
    %s = arith.addf %p, %b : f32
    memref.store %s, %xs[%zero] : memref<?xf32>
    gpu.return
  }
}
// ===== expected
builtin.module {
  gpu.module @kernels {
    gpu.func @k(%xs: memref<?xf32>, %n: index, %a: f32, %b: f32, %c: f32) kernel {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (f32) {
        %p_0 = arith.mulf %a, %b fastmath<contract> : f32
        %s_1 = arith.addf %p_0, %acc fastmath<contract> : f32
        %q = arith.mulf %b, %b fastmath<contract> : f32
        %t = arith.subf %s_1, %q fastmath<contract> : f32
        scf.yield %t : f32
      }
      %p = arith.mulf %a, %sum : f32
      %s = arith.addf %p, %b : f32
      memref.store %s, %xs[%zero] : memref<?xf32>
      gpu.return
    }
  }
}
