// pass: builtin.module(gpu.module(contract-fma{sums=all}))
// Sums and products that say more than that they may be contracted keep what they say, and their roundings: neither would a
// sum whose NaNs are excluded have to be rounded once, nor may the flags of one op be put in place of another's.
gpu.module @kernels {
  gpu.func @k(%xs: memref<?xf32>, %n: index, %a: f32, %b: f32, %c: f32) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (f32) {
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %p, %acc fastmath<nnan> : f32
      %q = arith.mulf %b, %c : f32
      %t = arith.subf %s, %q fastmath<contract,reassoc> : f32
      %r = arith.mulf %c, %c fastmath<nsz> : f32
      %u = arith.addf %t, %r : f32
      %v = arith.mulf %a, %c : f32
      %w = arith.addf %v, %u fastmath<contract> : f32
      scf.yield %w : f32
    }
    memref.store %sum, %xs[%zero] : memref<?xf32>
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
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %p, %acc fastmath<nnan> : f32
        %q = arith.mulf %b, %c : f32
        %t = arith.subf %s, %q fastmath<reassoc,contract> : f32
        %r = arith.mulf %c, %c fastmath<nsz> : f32
        %u = arith.addf %t, %r : f32
        %v = arith.mulf %a, %c fastmath<contract> : f32
        %w = arith.addf %v, %u fastmath<contract> : f32
        scf.yield %w : f32
      }
      memref.store %sum, %xs[%zero] : memref<?xf32>
      gpu.return
    }
  }
}
