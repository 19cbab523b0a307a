// pass: builtin.module(func.func(expand-tf32{oldest=90}),gpu.module(gpu.func(expand-tf32{oldest=90},cse)))
// From sm_90 on, devices have instructions for ties to even and toward zero; the host, and what rounds otherwise, has arithmetic.
builtin.module attributes {gpu.container_module} {
  func.func @host(%x: f32) -> f32 {
    %y = arith.truncf %x toward_zero : f32 to tf32
    %z = arith.extf %y : tf32 to f32
    func.return %z : f32
  }
  gpu.module @kernels {
    gpu.func @device(%x: f32, %y: f32, %m: memref<3xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %xt = arith.truncf %x to_nearest_even : f32 to tf32
      %xf = arith.extf %xt : tf32 to f32
      memref.store %xf, %m[%c0] : memref<3xf32>
      %yt = arith.truncf %y toward_zero : f32 to tf32
      %yf = arith.extf %yt : tf32 to f32
      memref.store %yf, %m[%c1] : memref<3xf32>
      %at = arith.truncf %y to_nearest_away : f32 to tf32
      %af = arith.extf %at : tf32 to f32
      memref.store %af, %m[%c2] : memref<3xf32>
      gpu.return
    }
  }
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  func.func @host(%x: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to i32
    %c-8192_i32 = arith.constant -8192 : i32
    %1 = arith.andi %0, %c-8192_i32 : i32
    %2 = arith.bitcast %1 : i32 to f32
    %3 = arith.cmpf ord, %x, %x : f32
    %cst = arith.constant 0x7FC00000 : f32
    %4 = arith.select %3, %2, %cst : f32
    func.return %4 : f32
  }
  gpu.module @kernels {
    gpu.func @device(%x: f32, %y: f32, %m: memref<3xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %xt = arith.truncf %x to_nearest_even : f32 to tf32
      %xf = arith.extf %xt : tf32 to f32
      memref.store %xf, %m[%c0] : memref<3xf32>
      %yt = arith.truncf %y toward_zero : f32 to tf32
      %yf = arith.extf %yt : tf32 to f32
      memref.store %yf, %m[%c1] : memref<3xf32>
      %0 = arith.bitcast %y : f32 to i32
      %c4096_i32 = arith.constant 4096 : i32
      %1 = arith.addi %0, %c4096_i32 : i32
      %c-8192_i32 = arith.constant -8192 : i32
      %2 = arith.andi %1, %c-8192_i32 : i32
      %3 = arith.bitcast %2 : i32 to f32
      %4 = arith.cmpf ord, %y, %y : f32
      %cst = arith.constant 0x7FC00000 : f32
      %5 = arith.select %4, %3, %cst : f32
      memref.store %5, %m[%c2] : memref<3xf32>
      gpu.return
    }
  }
}
