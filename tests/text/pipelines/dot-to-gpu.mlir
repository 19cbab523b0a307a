// pass: builtin.module(flatten,lower-to-gpu)
// A reduction of everything takes two stages.
func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = array.redomap (%x in %xs : [n]f32, %y in %ys : [n]f32) init (%zero : f32) map {
    %p = arith.mulf %x, %y : f32
    array.yield %p : f32
  } combine (%s, %t) {
    %u = arith.addf %s, %t : f32
    array.yield %u : f32
  }
  func.return %sum : f32
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segred_chunks_0(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: f32, %arg3: memref<?xf32>, %arg4: index) workgroup(%arg5: memref<256xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, Gen)", summary = "segred_chunks at level thread over xs.0"} {
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %c4096 = arith.constant 4096 : index
      %2 = arith.muli %0, %c4096 : index
      %3 = arith.subi %arg4, %2 : index
      %4 = arith.minsi %3, %c4096 : index
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      %5 = scf.for %arg6 = %1 to %4 step %c256 iter_args(%arg7 = %arg2) -> (f32) {
        %c4096_2 = arith.constant 4096 : index
        %16 = arith.muli %0, %c4096_2 : index
        %17 = arith.addi %16, %arg6 : index
        %18 = memref.load %arg0[%17] : memref<?xf32>
        %19 = memref.load %arg1[%17] : memref<?xf32>
        %p = arith.mulf %18, %19 : f32
        %u = arith.addf %arg7, %p : f32
        scf.yield %u : f32
      }
      memref.store %5, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %c128 = arith.constant 128 : index
      %6 = arith.cmpi ult, %1, %c128 : index
      scf.if %6 {
        %c128_2 = arith.constant 128 : index
        %16 = arith.addi %1, %c128_2 : index
        %17 = memref.load %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
        %18 = memref.load %arg5[%16] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %17, %18 : f32
        memref.store %u, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c64 = arith.constant 64 : index
      %7 = arith.cmpi ult, %1, %c64 : index
      scf.if %7 {
        %c64_2 = arith.constant 64 : index
        %16 = arith.addi %1, %c64_2 : index
        %17 = memref.load %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
        %18 = memref.load %arg5[%16] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %17, %18 : f32
        memref.store %u, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c32 = arith.constant 32 : index
      %8 = arith.cmpi ult, %1, %c32 : index
      scf.if %8 {
        %c32_2 = arith.constant 32 : index
        %16 = arith.addi %1, %c32_2 : index
        %17 = memref.load %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
        %18 = memref.load %arg5[%16] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %17, %18 : f32
        memref.store %u, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c16 = arith.constant 16 : index
      %9 = arith.cmpi ult, %1, %c16 : index
      scf.if %9 {
        %c16_2 = arith.constant 16 : index
        %16 = arith.addi %1, %c16_2 : index
        %17 = memref.load %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
        %18 = memref.load %arg5[%16] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %17, %18 : f32
        memref.store %u, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c8 = arith.constant 8 : index
      %10 = arith.cmpi ult, %1, %c8 : index
      scf.if %10 {
        %c8_2 = arith.constant 8 : index
        %16 = arith.addi %1, %c8_2 : index
        %17 = memref.load %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
        %18 = memref.load %arg5[%16] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %17, %18 : f32
        memref.store %u, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c4 = arith.constant 4 : index
      %11 = arith.cmpi ult, %1, %c4 : index
      scf.if %11 {
        %c4_2 = arith.constant 4 : index
        %16 = arith.addi %1, %c4_2 : index
        %17 = memref.load %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
        %18 = memref.load %arg5[%16] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %17, %18 : f32
        memref.store %u, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c2 = arith.constant 2 : index
      %12 = arith.cmpi ult, %1, %c2 : index
      scf.if %12 {
        %c2_2 = arith.constant 2 : index
        %16 = arith.addi %1, %c2_2 : index
        %17 = memref.load %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
        %18 = memref.load %arg5[%16] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %17, %18 : f32
        memref.store %u, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c1_0 = arith.constant 1 : index
      %13 = arith.cmpi ult, %1, %c1_0 : index
      scf.if %13 {
        %c1_2 = arith.constant 1 : index
        %16 = arith.addi %1, %c1_2 : index
        %17 = memref.load %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
        %18 = memref.load %arg5[%16] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %17, %18 : f32
        memref.store %u, %arg5[%1] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c0 = arith.constant 0 : index
      %14 = memref.load %arg5[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
      %c0_1 = arith.constant 0 : index
      %15 = arith.cmpi eq, %1, %c0_1 : index
      scf.if %15 {
        memref.store %14, %arg3[%0] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segred_last_1(%arg0: f32, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index) workgroup(%arg4: memref<256xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, Gen)", summary = "segred_last at level thread over xs.0"} {
      %0 = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      %1 = scf.for %arg5 = %0 to %arg3 step %c256 iter_args(%arg6 = %arg0) -> (f32) {
        %12 = memref.load %arg1[%arg5] : memref<?xf32>
        %u = arith.addf %arg6, %12 : f32
        scf.yield %u : f32
      }
      memref.store %1, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %c128 = arith.constant 128 : index
      %2 = arith.cmpi ult, %0, %c128 : index
      scf.if %2 {
        %c128_3 = arith.constant 128 : index
        %12 = arith.addi %0, %c128_3 : index
        %13 = memref.load %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
        %14 = memref.load %arg4[%12] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %13, %14 : f32
        memref.store %u, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c64 = arith.constant 64 : index
      %3 = arith.cmpi ult, %0, %c64 : index
      scf.if %3 {
        %c64_3 = arith.constant 64 : index
        %12 = arith.addi %0, %c64_3 : index
        %13 = memref.load %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
        %14 = memref.load %arg4[%12] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %13, %14 : f32
        memref.store %u, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c32 = arith.constant 32 : index
      %4 = arith.cmpi ult, %0, %c32 : index
      scf.if %4 {
        %c32_3 = arith.constant 32 : index
        %12 = arith.addi %0, %c32_3 : index
        %13 = memref.load %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
        %14 = memref.load %arg4[%12] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %13, %14 : f32
        memref.store %u, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c16 = arith.constant 16 : index
      %5 = arith.cmpi ult, %0, %c16 : index
      scf.if %5 {
        %c16_3 = arith.constant 16 : index
        %12 = arith.addi %0, %c16_3 : index
        %13 = memref.load %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
        %14 = memref.load %arg4[%12] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %13, %14 : f32
        memref.store %u, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c8 = arith.constant 8 : index
      %6 = arith.cmpi ult, %0, %c8 : index
      scf.if %6 {
        %c8_3 = arith.constant 8 : index
        %12 = arith.addi %0, %c8_3 : index
        %13 = memref.load %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
        %14 = memref.load %arg4[%12] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %13, %14 : f32
        memref.store %u, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c4 = arith.constant 4 : index
      %7 = arith.cmpi ult, %0, %c4 : index
      scf.if %7 {
        %c4_3 = arith.constant 4 : index
        %12 = arith.addi %0, %c4_3 : index
        %13 = memref.load %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
        %14 = memref.load %arg4[%12] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %13, %14 : f32
        memref.store %u, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c2 = arith.constant 2 : index
      %8 = arith.cmpi ult, %0, %c2 : index
      scf.if %8 {
        %c2_3 = arith.constant 2 : index
        %12 = arith.addi %0, %c2_3 : index
        %13 = memref.load %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
        %14 = memref.load %arg4[%12] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %13, %14 : f32
        memref.store %u, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c1_0 = arith.constant 1 : index
      %9 = arith.cmpi ult, %0, %c1_0 : index
      scf.if %9 {
        %c1_3 = arith.constant 1 : index
        %12 = arith.addi %0, %c1_3 : index
        %13 = memref.load %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
        %14 = memref.load %arg4[%12] : memref<256xf32, #gpu.address_space<workgroup>>
        %u = arith.addf %13, %14 : f32
        memref.store %u, %arg4[%0] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c0 = arith.constant 0 : index
      %10 = memref.load %arg4[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
      %c0_1 = arith.constant 0 : index
      %c0_2 = arith.constant 0 : index
      %11 = arith.cmpi eq, %0, %c0_2 : index
      scf.if %11 {
        memref.store %10, %arg2[%c0_1] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xf32>, %ys: memref<?xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %0 = memref.dim %xs, %c0 : memref<?xf32>
    %c0_0 = arith.constant 0 : index
    %1 = memref.dim %ys, %c0_0 : memref<?xf32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %zero = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %3 = gpu.alloc (%c1) : memref<?xf32>
    %c4096 = arith.constant 4096 : index
    %c1_1 = arith.constant 1 : index
    %4 = arith.subi %c4096, %c1_1 : index
    %5 = arith.addi %0, %4 : index
    %6 = arith.divui %5, %c4096 : index
    %7 = gpu.alloc (%6) : memref<?xf32>
    %c256 = arith.constant 256 : index
    %c1_2 = arith.constant 1 : index
    %c2147483647 = arith.constant 2147483647 : index
    %8 = arith.cmpi sle, %6, %c2147483647 : index
    cf.assert %8, "the launch is larger than the hardware allows"
    gpu.launch_func @kernels::@main_segred_chunks_0 blocks in (%6, %c1_2, %c1_2) threads in (%c256, %c1_2, %c1_2) args(%xs : memref<?xf32>, %ys : memref<?xf32>, %zero : f32, %7 : memref<?xf32>, %0 : index)
    %c256_3 = arith.constant 256 : index
    %c1_4 = arith.constant 1 : index
    gpu.launch_func @kernels::@main_segred_last_1 blocks in (%c1_4, %c1_4, %c1_4) threads in (%c256_3, %c1_4, %c1_4) args(%zero : f32, %7 : memref<?xf32>, %3 : memref<?xf32>, %6 : index)
    %c0_5 = arith.constant 0 : index
    %9 = memref.load %3[%c0_5] : memref<?xf32>
    func.return %9 : f32
  }
}
