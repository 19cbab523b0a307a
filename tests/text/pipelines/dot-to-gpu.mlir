// pass: builtin.module(flatten,func.func(choose-forms,vectorize,choose-mapping),lower-to-gpu)
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
    gpu.func @main_segred_parts_0(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index, %arg4: index, %arg5: index) workgroup(%arg6: memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.minctasm = 1 : i32, summary = "segred_parts at level thread over xs.0"} {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %arg4 : index
      %3 = arith.addi %2, %arg4 : index
      %4 = arith.minsi %3, %arg3 : index
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %5 = arith.subi %4, %2 : index
      %6 = arith.divsi %5, %c4 : index
      %7 = arith.muli %6, %c4 : index
      %8 = arith.addi %2, %7 : index
      %c256 = arith.constant 256 : index
      %c1024 = arith.constant 1024 : index
      %9 = arith.muli %1, %c4 : index
      %10 = arith.addi %2, %9 : index
      %11 = scf.for %arg7 = %10 to %8 step %c1024 iter_args(%arg8 = %cst) -> (f32) {
        %25 = vector.load %arg0[%arg7] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %26:4 = vector.to_elements %25 : vector<4xf32>
        %27 = vector.load %arg1[%arg7] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %28:4 = vector.to_elements %27 : vector<4xf32>
        %c0_11 = arith.constant 0 : index
        %p = arith.mulf %26#0, %28#0 : f32
        %c1 = arith.constant 1 : index
        %29 = arith.addi %arg7, %c1 : index
        %p_12 = arith.mulf %26#1, %28#1 : f32
        %c2 = arith.constant 2 : index
        %30 = arith.addi %arg7, %c2 : index
        %p_13 = arith.mulf %26#2, %28#2 : f32
        %c3 = arith.constant 3 : index
        %31 = arith.addi %arg7, %c3 : index
        %p_14 = arith.mulf %26#3, %28#3 : f32
        %u_15 = arith.addf %arg8, %p : f32
        %u_16 = arith.addf %u_15, %p_12 : f32
        %u_17 = arith.addf %u_16, %p_13 : f32
        %u_18 = arith.addf %u_17, %p_14 : f32
        scf.yield %u_18 : f32
      }
      %12 = arith.addi %8, %1 : index
      %13 = scf.for %arg7 = %12 to %4 step %c256 iter_args(%arg8 = %11) -> (f32) {
        %25 = memref.load %arg0[%arg7] : memref<?xf32>
        %26 = memref.load %arg1[%arg7] : memref<?xf32>
        %p = arith.mulf %25, %26 : f32
        %u_11 = arith.addf %arg8, %p : f32
        scf.yield %u_11 : f32
      }
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %14:2 = gpu.shuffle down %13, %c1_i32, %c32_i32 : f32
      %u = arith.addf %13, %14#0 : f32
      %c2_i32 = arith.constant 2 : i32
      %c32_i32_0 = arith.constant 32 : i32
      %15:2 = gpu.shuffle down %u, %c2_i32, %c32_i32_0 : f32
      %u_1 = arith.addf %u, %15#0 : f32
      %c4_i32 = arith.constant 4 : i32
      %c32_i32_2 = arith.constant 32 : i32
      %16:2 = gpu.shuffle down %u_1, %c4_i32, %c32_i32_2 : f32
      %u_3 = arith.addf %u_1, %16#0 : f32
      %c8_i32 = arith.constant 8 : i32
      %c32_i32_4 = arith.constant 32 : i32
      %17:2 = gpu.shuffle down %u_3, %c8_i32, %c32_i32_4 : f32
      %u_5 = arith.addf %u_3, %17#0 : f32
      %c16_i32 = arith.constant 16 : i32
      %c32_i32_6 = arith.constant 32 : i32
      %18:2 = gpu.shuffle down %u_5, %c16_i32, %c32_i32_6 : f32
      %u_7 = arith.addf %u_5, %18#0 : f32
      %c32 = arith.constant 32 : index
      %19 = arith.divui %1, %c32 : index
      %20 = arith.remui %1, %c32 : index
      %c0_8 = arith.constant 0 : index
      %21 = arith.cmpi eq, %20, %c0_8 : index
      scf.if %21 {
        memref.store %u_7, %arg6[%19] : memref<8xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c0_9 = arith.constant 0 : index
      %22 = arith.cmpi eq, %19, %c0_9 : index
      %23 = scf.if %22 -> (f32) {
        %c8 = arith.constant 8 : index
        %25 = arith.cmpi ult, %20, %c8 : index
        %26 = scf.if %25 -> (f32) {
          %30 = memref.load %arg6[%20] : memref<8xf32, #gpu.address_space<workgroup>>
          scf.yield %30 : f32
        } else {
          scf.yield %cst : f32
        }
        %c1_i32_11 = arith.constant 1 : i32
        %c32_i32_12 = arith.constant 32 : i32
        %27:2 = gpu.shuffle down %26, %c1_i32_11, %c32_i32_12 : f32
        %u_13 = arith.addf %26, %27#0 : f32
        %c2_i32_14 = arith.constant 2 : i32
        %c32_i32_15 = arith.constant 32 : i32
        %28:2 = gpu.shuffle down %u_13, %c2_i32_14, %c32_i32_15 : f32
        %u_16 = arith.addf %u_13, %28#0 : f32
        %c4_i32_17 = arith.constant 4 : i32
        %c32_i32_18 = arith.constant 32 : i32
        %29:2 = gpu.shuffle down %u_16, %c4_i32_17, %c32_i32_18 : f32
        %u_19 = arith.addf %u_16, %29#0 : f32
        scf.yield %u_19 : f32
      } else {
        scf.yield %cst : f32
      }
      %c0_10 = arith.constant 0 : index
      %24 = arith.cmpi eq, %1, %c0_10 : index
      scf.if %24 {
        %c0_11 = arith.constant 0 : index
        %25 = arith.muli %c0_11, %arg5 : index
        %26 = arith.addi %25, %0 : index
        memref.store %23, %arg2[%26] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segred_last_1(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) workgroup(%arg4: memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.minctasm = 1 : i32, summary = "segred_last at level thread over xs.0"} {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c0_0 = arith.constant 0 : index
      %1 = arith.muli %c0, %arg3 : index
      %c256 = arith.constant 256 : index
      %2 = scf.for %arg5 = %0 to %arg3 step %c256 iter_args(%arg6 = %cst) -> (f32) {
        %14 = arith.addi %1, %arg5 : index
        %15 = memref.load %arg0[%14] : memref<?xf32>
        %u_12 = arith.addf %arg6, %15 : f32
        scf.yield %u_12 : f32
      }
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %3:2 = gpu.shuffle down %2, %c1_i32, %c32_i32 : f32
      %u = arith.addf %2, %3#0 : f32
      %c2_i32 = arith.constant 2 : i32
      %c32_i32_1 = arith.constant 32 : i32
      %4:2 = gpu.shuffle down %u, %c2_i32, %c32_i32_1 : f32
      %u_2 = arith.addf %u, %4#0 : f32
      %c4_i32 = arith.constant 4 : i32
      %c32_i32_3 = arith.constant 32 : i32
      %5:2 = gpu.shuffle down %u_2, %c4_i32, %c32_i32_3 : f32
      %u_4 = arith.addf %u_2, %5#0 : f32
      %c8_i32 = arith.constant 8 : i32
      %c32_i32_5 = arith.constant 32 : i32
      %6:2 = gpu.shuffle down %u_4, %c8_i32, %c32_i32_5 : f32
      %u_6 = arith.addf %u_4, %6#0 : f32
      %c16_i32 = arith.constant 16 : i32
      %c32_i32_7 = arith.constant 32 : i32
      %7:2 = gpu.shuffle down %u_6, %c16_i32, %c32_i32_7 : f32
      %u_8 = arith.addf %u_6, %7#0 : f32
      %c32 = arith.constant 32 : index
      %8 = arith.divui %0, %c32 : index
      %9 = arith.remui %0, %c32 : index
      %c0_9 = arith.constant 0 : index
      %10 = arith.cmpi eq, %9, %c0_9 : index
      scf.if %10 {
        memref.store %u_8, %arg4[%8] : memref<8xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c0_10 = arith.constant 0 : index
      %11 = arith.cmpi eq, %8, %c0_10 : index
      %12 = scf.if %11 -> (f32) {
        %c8 = arith.constant 8 : index
        %14 = arith.cmpi ult, %9, %c8 : index
        %15 = scf.if %14 -> (f32) {
          %19 = memref.load %arg4[%9] : memref<8xf32, #gpu.address_space<workgroup>>
          scf.yield %19 : f32
        } else {
          scf.yield %cst : f32
        }
        %c1_i32_12 = arith.constant 1 : i32
        %c32_i32_13 = arith.constant 32 : i32
        %16:2 = gpu.shuffle down %15, %c1_i32_12, %c32_i32_13 : f32
        %u_14 = arith.addf %15, %16#0 : f32
        %c2_i32_15 = arith.constant 2 : i32
        %c32_i32_16 = arith.constant 32 : i32
        %17:2 = gpu.shuffle down %u_14, %c2_i32_15, %c32_i32_16 : f32
        %u_17 = arith.addf %u_14, %17#0 : f32
        %c4_i32_18 = arith.constant 4 : i32
        %c32_i32_19 = arith.constant 32 : i32
        %18:2 = gpu.shuffle down %u_17, %c4_i32_18, %c32_i32_19 : f32
        %u_20 = arith.addf %u_17, %18#0 : f32
        scf.yield %u_20 : f32
      } else {
        scf.yield %cst : f32
      }
      %c0_11 = arith.constant 0 : index
      %13 = arith.cmpi eq, %0, %c0_11 : index
      scf.if %13 {
        memref.store %12, %arg1[%c0] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segred_block_2(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index) workgroup(%arg4: memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.minctasm = 1 : i32, summary = "segred_block at level thread over xs.0"} {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c0_0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %1 = arith.subi %arg3, %c0 : index
      %2 = arith.divsi %1, %c4 : index
      %3 = arith.muli %2, %c4 : index
      %c256 = arith.constant 256 : index
      %c1024 = arith.constant 1024 : index
      %4 = arith.muli %0, %c4 : index
      %5 = scf.for %arg5 = %4 to %3 step %c1024 iter_args(%arg6 = %cst) -> (f32) {
        %19 = vector.load %arg0[%arg5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %20:4 = vector.to_elements %19 : vector<4xf32>
        %21 = vector.load %arg1[%arg5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %22:4 = vector.to_elements %21 : vector<4xf32>
        %c0_12 = arith.constant 0 : index
        %p = arith.mulf %20#0, %22#0 : f32
        %c1 = arith.constant 1 : index
        %23 = arith.addi %arg5, %c1 : index
        %p_13 = arith.mulf %20#1, %22#1 : f32
        %c2 = arith.constant 2 : index
        %24 = arith.addi %arg5, %c2 : index
        %p_14 = arith.mulf %20#2, %22#2 : f32
        %c3 = arith.constant 3 : index
        %25 = arith.addi %arg5, %c3 : index
        %p_15 = arith.mulf %20#3, %22#3 : f32
        %u_16 = arith.addf %arg6, %p : f32
        %u_17 = arith.addf %u_16, %p_13 : f32
        %u_18 = arith.addf %u_17, %p_14 : f32
        %u_19 = arith.addf %u_18, %p_15 : f32
        scf.yield %u_19 : f32
      }
      %6 = arith.addi %3, %0 : index
      %7 = scf.for %arg5 = %6 to %arg3 step %c256 iter_args(%arg6 = %5) -> (f32) {
        %19 = memref.load %arg0[%arg5] : memref<?xf32>
        %20 = memref.load %arg1[%arg5] : memref<?xf32>
        %p = arith.mulf %19, %20 : f32
        %u_12 = arith.addf %arg6, %p : f32
        scf.yield %u_12 : f32
      }
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %8:2 = gpu.shuffle down %7, %c1_i32, %c32_i32 : f32
      %u = arith.addf %7, %8#0 : f32
      %c2_i32 = arith.constant 2 : i32
      %c32_i32_1 = arith.constant 32 : i32
      %9:2 = gpu.shuffle down %u, %c2_i32, %c32_i32_1 : f32
      %u_2 = arith.addf %u, %9#0 : f32
      %c4_i32 = arith.constant 4 : i32
      %c32_i32_3 = arith.constant 32 : i32
      %10:2 = gpu.shuffle down %u_2, %c4_i32, %c32_i32_3 : f32
      %u_4 = arith.addf %u_2, %10#0 : f32
      %c8_i32 = arith.constant 8 : i32
      %c32_i32_5 = arith.constant 32 : i32
      %11:2 = gpu.shuffle down %u_4, %c8_i32, %c32_i32_5 : f32
      %u_6 = arith.addf %u_4, %11#0 : f32
      %c16_i32 = arith.constant 16 : i32
      %c32_i32_7 = arith.constant 32 : i32
      %12:2 = gpu.shuffle down %u_6, %c16_i32, %c32_i32_7 : f32
      %u_8 = arith.addf %u_6, %12#0 : f32
      %c32 = arith.constant 32 : index
      %13 = arith.divui %0, %c32 : index
      %14 = arith.remui %0, %c32 : index
      %c0_9 = arith.constant 0 : index
      %15 = arith.cmpi eq, %14, %c0_9 : index
      scf.if %15 {
        memref.store %u_8, %arg4[%13] : memref<8xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %c0_10 = arith.constant 0 : index
      %16 = arith.cmpi eq, %13, %c0_10 : index
      %17 = scf.if %16 -> (f32) {
        %c8 = arith.constant 8 : index
        %19 = arith.cmpi ult, %14, %c8 : index
        %20 = scf.if %19 -> (f32) {
          %24 = memref.load %arg4[%14] : memref<8xf32, #gpu.address_space<workgroup>>
          scf.yield %24 : f32
        } else {
          scf.yield %cst : f32
        }
        %c1_i32_12 = arith.constant 1 : i32
        %c32_i32_13 = arith.constant 32 : i32
        %21:2 = gpu.shuffle down %20, %c1_i32_12, %c32_i32_13 : f32
        %u_14 = arith.addf %20, %21#0 : f32
        %c2_i32_15 = arith.constant 2 : i32
        %c32_i32_16 = arith.constant 32 : i32
        %22:2 = gpu.shuffle down %u_14, %c2_i32_15, %c32_i32_16 : f32
        %u_17 = arith.addf %u_14, %22#0 : f32
        %c4_i32_18 = arith.constant 4 : i32
        %c32_i32_19 = arith.constant 32 : i32
        %23:2 = gpu.shuffle down %u_17, %c4_i32_18, %c32_i32_19 : f32
        %u_20 = arith.addf %u_17, %23#0 : f32
        scf.yield %u_20 : f32
      } else {
        scf.yield %cst : f32
      }
      %c0_11 = arith.constant 0 : index
      %18 = arith.cmpi eq, %0, %c0_11 : index
      scf.if %18 {
        %c0_12 = arith.constant 0 : index
        memref.store %17, %arg2[%c0_12] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xf32>, %ys: memref<?xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = memref.dim %xs, %c0_0 : memref<?xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = memref.dim %ys, %c0_2 : memref<?xf32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %zero = arith.constant 0.000000e+00 : f32
    %3 = kernel.at_least %0, "main.red0.parts" default 12289
    %4 = scf.if %3 -> (f32) {
      %c1 = arith.constant 1 : index
      %5 = gpu.alloc (%c1) : memref<?xf32>
      %c4096 = arith.constant 4096 : index
      %c1_3 = arith.constant 1 : index
      %c1024 = arith.constant 1024 : index
      %6 = arith.ceildivsi %0, %c4096 : index
      %7 = arith.minsi %6, %c1024 : index
      %8 = arith.maxsi %7, %c1_3 : index
      %9 = arith.ceildivsi %0, %8 : index
      %c255 = arith.constant 255 : index
      %c256 = arith.constant 256 : index
      %10 = arith.addi %9, %c255 : index
      %11 = arith.divui %10, %c256 : index
      %12 = arith.maxsi %11, %c1_3 : index
      %c256_4 = arith.constant 256 : index
      %13 = arith.muli %12, %c256_4 : index
      %14 = arith.ceildivsi %0, %13 : index
      %15 = arith.maxsi %14, %c1_3 : index
      %c1_5 = arith.constant 1 : index
      %16 = gpu.alloc (%15) : memref<?xf32>
      %c0_6 = arith.constant 0 : index
      %17 = memref.dim %xs, %c0_6 : memref<?xf32>
      %c0_7 = arith.constant 0 : index
      %18 = memref.dim %ys, %c0_7 : memref<?xf32>
      %c1_8 = arith.constant 1 : index
      %c2147483647 = arith.constant 2147483647 : index
      %19 = arith.cmpi sle, %15, %c2147483647 : index
      %c1_9 = arith.constant 1 : index
      %c2147483647_10 = arith.constant 2147483647 : index
      %20 = arith.subi %15, %c2147483647_10 : index
      %21 = check.require %19, %15 else %c1_9 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%15, %20 : index, index)
      %c256_11 = arith.constant 256 : index
      gpu.launch_func @kernels::@main_segred_parts_0 blocks in (%15, %c1_8, %c1_8) threads in (%c256_11, %c1_8, %c1_8) args(%xs : memref<?xf32>, %ys : memref<?xf32>, %16 : memref<?xf32>, %0 : index, %13 : index, %15 : index)
      %c1_12 = arith.constant 1 : index
      %c256_13 = arith.constant 256 : index
      gpu.launch_func @kernels::@main_segred_last_1 blocks in (%c1_12, %c1_12, %c1_12) threads in (%c256_13, %c1_12, %c1_12) args(%16 : memref<?xf32>, %5 : memref<?xf32>, %0 : index, %15 : index)
      %c0_14 = arith.constant 0 : index
      %22 = memref.load %5[%c0_14] : memref<?xf32>
      scf.yield %22 : f32
    } else {
      %c1 = arith.constant 1 : index
      %5 = gpu.alloc (%c1) : memref<?xf32>
      %c0_3 = arith.constant 0 : index
      %6 = memref.dim %xs, %c0_3 : memref<?xf32>
      %c0_4 = arith.constant 0 : index
      %7 = memref.dim %ys, %c0_4 : memref<?xf32>
      %c1_5 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      gpu.launch_func @kernels::@main_segred_block_2 blocks in (%c1_5, %c1_5, %c1_5) threads in (%c256, %c1_5, %c1_5) args(%xs : memref<?xf32>, %ys : memref<?xf32>, %5 : memref<?xf32>, %0 : index)
      %c0_6 = arith.constant 0 : index
      %8 = memref.load %5[%c0_6] : memref<?xf32>
      scf.yield %8 : f32
    }
    func.return %4 : f32
  }
}
