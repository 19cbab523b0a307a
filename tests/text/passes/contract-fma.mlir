// pass: builtin.module(gpu.module(contract-fma{sums=all}))
// A product that is only added may be rounded with the sum; one that is also stored may not.
gpu.module @kernels {
  gpu.func @k(%xs: memref<?xf32>, %i: index, %a: f32, %b: f32, %c: f32) kernel {
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    %q = arith.mulf %b, %c : f32
    %t = arith.subf %s, %q : f32
    memref.store %t, %xs[%i] : memref<?xf32>
    memref.store %q, %xs[%i] : memref<?xf32>
    gpu.return
  }
}
// ===== expected
builtin.module {
  gpu.module @kernels {
    gpu.func @k(%xs: memref<?xf32>, %i: index, %a: f32, %b: f32, %c: f32) kernel {
      %p = arith.mulf %a, %b fastmath<contract> : f32
      %s = arith.addf %p, %c fastmath<contract> : f32
      %q = arith.mulf %b, %c : f32
      %t = arith.subf %s, %q : f32
      memref.store %t, %xs[%i] : memref<?xf32>
      memref.store %q, %xs[%i] : memref<?xf32>
      gpu.return
    }
  }
}
