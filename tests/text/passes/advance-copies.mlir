// pass: builtin.module(gpu.module(gpu.func(advance-copies,cse,dce)))
// Places that grow by the same from step to step are carried, in 64 and in 32 bits; one that is read from memory, or computed
// by an op that may not run before the loop, is not.
gpu.module @kernels {
  gpu.func @tile(%xs: memref<?xf32>, %at: memref<?xindex>, %n: index, %m: index, %w: i32, %v: i32) workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %i = gpu.thread_id x
    scf.for %t = %c0 to %n step %c1 {
      %k = arith.muli %t, %c4 : index
      %r = arith.addi %k, %i : index
      %p = arith.muli %r, %m : index
      %least = arith.minsi %i, %m : index
      %from = arith.addi %p, %least : index
      %more = arith.cmpi slt, %k, %m : index
      scf.if %more {
        %0 = nvgpu.device_async_copy %xs[%from], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      }
      %rest = arith.remui %i, %m : index
      %other = arith.subi %rest, %k : index
      %1 = nvgpu.device_async_copy %xs[%other], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      %read = memref.load %at[%t] : memref<?xindex>
      %2 = nvgpu.device_async_copy %xs[%read], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    }
    scf.for %t = %c0_i32 to %w step %c1_i32 : i32 {
      %k = arith.muli %t, %c16_i32 overflow<nsw, nuw> : i32
      %p = arith.addi %v, %k overflow<nsw, nuw> : i32
      %from = arith.index_castui %p : i32 to index
      %0 = nvgpu.device_async_copy %xs[%from], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}
// ===== expected
builtin.module {
  gpu.module @kernels {
    gpu.func @tile(%xs: memref<?xf32>, %at: memref<?xindex>, %n: index, %m: index, %w: i32, %v: i32) workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %c16_i32 = arith.constant 16 : i32
      %i = gpu.thread_id x
      %0 = arith.muli %c1, %c4 : index
      %1 = arith.muli %c0, %c4 : index
      %2 = arith.addi %1, %i : index
      %3 = arith.muli %0, %m : index
      %4 = arith.muli %2, %m : index
      %least = arith.minsi %i, %m : index
      %5 = arith.addi %4, %least : index
      %6 = scf.for %arg0 = %c0 to %n step %c1 iter_args(%arg1 = %5) -> (index) {
        %k = arith.muli %arg0, %c4 : index
        %more = arith.cmpi slt, %k, %m : index
        scf.if %more {
          %14 = nvgpu.device_async_copy %xs[%arg1], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        }
        %rest = arith.remui %i, %m : index
        %other = arith.subi %rest, %k : index
        %11 = nvgpu.device_async_copy %xs[%other], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %read = memref.load %at[%arg0] : memref<?xindex>
        %12 = nvgpu.device_async_copy %xs[%read], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %13 = arith.addi %arg1, %3 : index
        scf.yield %13 : index
      }
      %7 = arith.muli %c1_i32, %c16_i32 : i32
      %8 = arith.muli %c0_i32, %c16_i32 : i32
      %9 = arith.addi %v, %8 : i32
      %10 = scf.for %arg0 = %c0_i32 to %w step %c1_i32 iter_args(%arg1 = %9) -> (i32) : i32 {
        %11 = arith.index_castui %arg1 : i32 to index
        %12 = nvgpu.device_async_copy %xs[%11], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %13 = arith.addi %arg1, %7 : i32
        scf.yield %13 : i32
      }
      gpu.return
    }
  }
}
