// pass: builtin.module(gpu.module(gpu.func(advance-copies,cse,dce)))
// Places that grow by the same from step to step are carried, in 64 and in 32 bits; one that is read from memory, or computed
// by an op that may not run before the loop, is not. Of several that grow by the same, it is carried how far they have moved; in 32
// bits each is carried. A place of which several of a step are made is carried once, also where one is at most another.
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
  gpu.func @several(%xs: memref<?xf32>, %n: index, %m: index, %w: i32, %v: i32) workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %i = gpu.thread_id x
    %j = arith.addi %i, %c8 : index
    scf.for %t = %c0 to %n step %c1 {
      %k = arith.muli %t, %c4 : index
      %r0 = arith.addi %k, %i : index
      %p0 = arith.muli %r0, %m : index
      %r1 = arith.addi %k, %j : index
      %p1 = arith.muli %r1, %m : index
      %0 = nvgpu.device_async_copy %xs[%p0], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      %1 = nvgpu.device_async_copy %xs[%p1], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      %2 = nvgpu.device_async_copy %xs[%k], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    }
    scf.for %t = %c0_i32 to %w step %c1_i32 : i32 {
      %k = arith.muli %t, %c16_i32 : i32
      %p = arith.addi %v, %k : i32
      %0 = arith.index_castui %k : i32 to index
      %1 = arith.index_castui %p : i32 to index
      %2 = nvgpu.device_async_copy %xs[%0], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      %3 = nvgpu.device_async_copy %xs[%1], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
  gpu.func @rows(%xs: memref<?xf32>, %n: index, %m: index, %end: index) workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %i = gpu.thread_id x
    scf.for %t = %c0 to %n step %c1 {
      %k = arith.muli %t, %c4 : index
      %first = arith.muli %i, %m : index
      %p0 = arith.addi %first, %k : index
      %last = arith.muli %end, %m : index
      %p1 = arith.addi %last, %k : index
      %from = arith.minsi %p0, %p1 : index
      %0 = nvgpu.device_async_copy %xs[%from], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      %down = arith.muli %m, %c16 : index
      %below = arith.addi %p0, %down : index
      %also = arith.minsi %below, %p1 : index
      %1 = nvgpu.device_async_copy %xs[%also], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
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
    gpu.func @several(%xs: memref<?xf32>, %n: index, %m: index, %w: i32, %v: i32) workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %c16_i32 = arith.constant 16 : i32
      %i = gpu.thread_id x
      %j = arith.addi %i, %c8 : index
      %0 = arith.muli %c1, %c4 : index
      %1 = arith.muli %c0, %c4 : index
      %2 = arith.addi %1, %i : index
      %3 = arith.muli %0, %m : index
      %4 = arith.muli %2, %m : index
      %5 = arith.addi %1, %j : index
      %6 = arith.muli %5, %m : index
      %7:2 = scf.for %arg0 = %c0 to %n step %c1 iter_args(%arg1 = %c0, %arg2 = %1) -> (index, index) {
        %11 = arith.addi %4, %arg1 : index
        %12 = nvgpu.device_async_copy %xs[%11], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %13 = arith.addi %6, %arg1 : index
        %14 = nvgpu.device_async_copy %xs[%13], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %15 = nvgpu.device_async_copy %xs[%arg2], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %16 = arith.addi %arg1, %3 : index
        %17 = arith.addi %arg2, %0 : index
        scf.yield %16, %17 : index, index
      }
      %8 = arith.muli %c1_i32, %c16_i32 : i32
      %9 = arith.muli %c0_i32, %c16_i32 : i32
      %10 = scf.for %arg0 = %c0_i32 to %w step %c1_i32 iter_args(%arg1 = %9) -> (i32) : i32 {
        %p = arith.addi %v, %arg1 : i32
        %11 = arith.index_castui %p : i32 to index
        %12 = arith.index_castui %arg1 : i32 to index
        %13 = nvgpu.device_async_copy %xs[%12], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %14 = nvgpu.device_async_copy %xs[%11], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %15 = arith.addi %arg1, %8 : i32
        scf.yield %15 : i32
      }
      gpu.return
    }
    gpu.func @rows(%xs: memref<?xf32>, %n: index, %m: index, %end: index) workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %i = gpu.thread_id x
      %0 = arith.muli %c1, %c4 : index
      %1 = arith.muli %c0, %c4 : index
      %2 = scf.for %arg0 = %c0 to %n step %c1 iter_args(%arg1 = %1) -> (index) {
        %first = arith.muli %i, %m : index
        %p0 = arith.addi %first, %arg1 : index
        %last = arith.muli %end, %m : index
        %p1 = arith.addi %last, %arg1 : index
        %from = arith.minsi %p0, %p1 : index
        %3 = nvgpu.device_async_copy %xs[%from], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %down = arith.muli %m, %c16 : index
        %below = arith.addi %p0, %down : index
        %also = arith.minsi %below, %p1 : index
        %4 = nvgpu.device_async_copy %xs[%also], %tile[%i], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
        %5 = arith.addi %arg1, %0 : index
        scf.yield %5 : index
      }
      gpu.return
    }
  }
}
