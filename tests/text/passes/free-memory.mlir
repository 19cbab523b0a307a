// pass: builtin.module(array-to-kernel-one,func.func(choose-forms,vectorize,choose-mapping),lower-to-gpu,canonicalize,cse,dce,update-in-place,free-memory)
// A buffer made by a kernel for the next is freed after it. A buffer carried by a loop is left to the counter of its references.
func.func @main(%xs: !array.array<[n]f32>, %steps: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %ys = scf.for %step = %zero to %steps step %one iter_args(%state = %xs) -> (!array.array<[n]f32>) {
    %next = array.map (%x in %state : [n]f32) {
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    }
    scf.yield %next : !array.array<[n]f32>
  }
  %sum = array.reduce (%ys : [n]f32) init (%none : f32) combine (%acc, %y) {
    %s = arith.addf %acc, %y : f32
    array.yield %s : f32
  }
  func.return %sum : f32
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_0(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over state.0"} {
      %c256 = arith.constant 256 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg2 : index
      scf.if %4 {
        %5 = arith.muli %3, %c4 : index
        %6 = arith.addi %5, %c4 : index
        %7 = arith.cmpi sle, %6, %arg3 : index
        scf.if %7 {
          %8 = vector.load %arg0[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %9:4 = vector.to_elements %8 : vector<4xf32>
          %y = arith.addf %9#0, %9#0 : f32
          %y_0 = arith.addf %9#1, %9#1 : f32
          %y_1 = arith.addf %9#2, %9#2 : f32
          %y_2 = arith.addf %9#3, %9#3 : f32
          %10 = vector.from_elements %y, %y_0, %y_1, %y_2 : vector<4xf32>
          vector.store %10, %arg1[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %8 = arith.minsi %6, %arg3 : index
          scf.for %arg4 = %5 to %8 step %c1 {
            %9 = memref.load %arg0[%arg4] : memref<?xf32>
            %y = arith.addf %9, %9 : f32
            memref.store %y, %arg1[%arg4] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
    gpu.func @main_segred_parts_1(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index, %arg4: index) workgroup(%arg5: memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.minctasm = 1 : i32, summary = "segred_parts at level thread over ys.0"} {
      %cst = arith.constant 0.000000e+00 : f32
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %c1024 = arith.constant 1024 : index
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c2_i32 = arith.constant 2 : i32
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %c16_i32 = arith.constant 16 : i32
      %c32 = arith.constant 32 : index
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %arg3 : index
      %3 = arith.addi %2, %arg3 : index
      %4 = arith.minsi %3, %arg2 : index
      %5 = arith.subi %4, %2 : index
      %6 = arith.divsi %5, %c4 : index
      %7 = arith.muli %6, %c4 : index
      %8 = arith.addi %2, %7 : index
      %9 = arith.muli %1, %c4 : index
      %10 = arith.addi %2, %9 : index
      %11 = scf.for %arg6 = %10 to %8 step %c1024 iter_args(%arg7 = %cst) -> (f32) {
        %25 = vector.load %arg0[%arg6] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %26:4 = vector.to_elements %25 : vector<4xf32>
        %s_4 = arith.addf %arg7, %26#0 : f32
        %s_5 = arith.addf %s_4, %26#1 : f32
        %s_6 = arith.addf %s_5, %26#2 : f32
        %s_7 = arith.addf %s_6, %26#3 : f32
        scf.yield %s_7 : f32
      }
      %12 = arith.addi %8, %1 : index
      %13 = scf.for %arg6 = %12 to %4 step %c256 iter_args(%arg7 = %11) -> (f32) {
        %25 = memref.load %arg0[%arg6] : memref<?xf32>
        %s_4 = arith.addf %arg7, %25 : f32
        scf.yield %s_4 : f32
      }
      %14:2 = gpu.shuffle down %13, %c1_i32, %c32_i32 : f32
      %s = arith.addf %13, %14#0 : f32
      %15:2 = gpu.shuffle down %s, %c2_i32, %c32_i32 : f32
      %s_0 = arith.addf %s, %15#0 : f32
      %16:2 = gpu.shuffle down %s_0, %c4_i32, %c32_i32 : f32
      %s_1 = arith.addf %s_0, %16#0 : f32
      %17:2 = gpu.shuffle down %s_1, %c8_i32, %c32_i32 : f32
      %s_2 = arith.addf %s_1, %17#0 : f32
      %18:2 = gpu.shuffle down %s_2, %c16_i32, %c32_i32 : f32
      %s_3 = arith.addf %s_2, %18#0 : f32
      %19 = arith.divui %1, %c32 : index
      %20 = arith.remui %1, %c32 : index
      %21 = arith.cmpi eq, %20, %c0 : index
      scf.if %21 {
        memref.store %s_3, %arg5[%19] : memref<8xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %22 = arith.cmpi eq, %19, %c0 : index
      %23 = scf.if %22 -> (f32) {
        %25 = arith.cmpi ult, %20, %c8 : index
        %26 = scf.if %25 -> (f32) {
          %30 = memref.load %arg5[%20] : memref<8xf32, #gpu.address_space<workgroup>>
          scf.yield %30 : f32
        } else {
          scf.yield %cst : f32
        }
        %27:2 = gpu.shuffle down %26, %c1_i32, %c32_i32 : f32
        %s_4 = arith.addf %26, %27#0 : f32
        %28:2 = gpu.shuffle down %s_4, %c2_i32, %c32_i32 : f32
        %s_5 = arith.addf %s_4, %28#0 : f32
        %29:2 = gpu.shuffle down %s_5, %c4_i32, %c32_i32 : f32
        %s_6 = arith.addf %s_5, %29#0 : f32
        scf.yield %s_6 : f32
      } else {
        scf.yield %cst : f32
      }
      %24 = arith.cmpi eq, %1, %c0 : index
      scf.if %24 {
        memref.store %23, %arg1[%0] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segred_last_2(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) workgroup(%arg4: memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.minctasm = 1 : i32, summary = "segred_last at level thread over ys.0"} {
      %cst = arith.constant 0.000000e+00 : f32
      %c0 = arith.constant 0 : index
      %c256 = arith.constant 256 : index
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c2_i32 = arith.constant 2 : i32
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %c16_i32 = arith.constant 16 : i32
      %c32 = arith.constant 32 : index
      %c8 = arith.constant 8 : index
      %0 = gpu.thread_id x
      %1 = scf.for %arg5 = %0 to %arg3 step %c256 iter_args(%arg6 = %cst) -> (f32) {
        %13 = memref.load %arg0[%arg5] : memref<?xf32>
        %s_4 = arith.addf %arg6, %13 : f32
        scf.yield %s_4 : f32
      }
      %2:2 = gpu.shuffle down %1, %c1_i32, %c32_i32 : f32
      %s = arith.addf %1, %2#0 : f32
      %3:2 = gpu.shuffle down %s, %c2_i32, %c32_i32 : f32
      %s_0 = arith.addf %s, %3#0 : f32
      %4:2 = gpu.shuffle down %s_0, %c4_i32, %c32_i32 : f32
      %s_1 = arith.addf %s_0, %4#0 : f32
      %5:2 = gpu.shuffle down %s_1, %c8_i32, %c32_i32 : f32
      %s_2 = arith.addf %s_1, %5#0 : f32
      %6:2 = gpu.shuffle down %s_2, %c16_i32, %c32_i32 : f32
      %s_3 = arith.addf %s_2, %6#0 : f32
      %7 = arith.divui %0, %c32 : index
      %8 = arith.remui %0, %c32 : index
      %9 = arith.cmpi eq, %8, %c0 : index
      scf.if %9 {
        memref.store %s_3, %arg4[%7] : memref<8xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %10 = arith.cmpi eq, %7, %c0 : index
      %11 = scf.if %10 -> (f32) {
        %13 = arith.cmpi ult, %8, %c8 : index
        %14 = scf.if %13 -> (f32) {
          %18 = memref.load %arg4[%8] : memref<8xf32, #gpu.address_space<workgroup>>
          scf.yield %18 : f32
        } else {
          scf.yield %cst : f32
        }
        %15:2 = gpu.shuffle down %14, %c1_i32, %c32_i32 : f32
        %s_4 = arith.addf %14, %15#0 : f32
        %16:2 = gpu.shuffle down %s_4, %c2_i32, %c32_i32 : f32
        %s_5 = arith.addf %s_4, %16#0 : f32
        %17:2 = gpu.shuffle down %s_5, %c4_i32, %c32_i32 : f32
        %s_6 = arith.addf %s_5, %17#0 : f32
        scf.yield %s_6 : f32
      } else {
        scf.yield %cst : f32
      }
      %12 = arith.cmpi eq, %0, %c0 : index
      scf.if %12 {
        memref.store %11, %arg1[%c0] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segred_block_3(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) workgroup(%arg3: memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.minctasm = 1 : i32, summary = "segred_block at level thread over ys.0"} {
      %cst = arith.constant 0.000000e+00 : f32
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %c1024 = arith.constant 1024 : index
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c2_i32 = arith.constant 2 : i32
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %c16_i32 = arith.constant 16 : i32
      %c32 = arith.constant 32 : index
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %0 = gpu.thread_id x
      %1 = arith.divsi %arg2, %c4 : index
      %2 = arith.muli %1, %c4 : index
      %3 = arith.muli %0, %c4 : index
      %4 = scf.for %arg4 = %3 to %2 step %c1024 iter_args(%arg5 = %cst) -> (f32) {
        %18 = vector.load %arg0[%arg4] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %19:4 = vector.to_elements %18 : vector<4xf32>
        %s_4 = arith.addf %arg5, %19#0 : f32
        %s_5 = arith.addf %s_4, %19#1 : f32
        %s_6 = arith.addf %s_5, %19#2 : f32
        %s_7 = arith.addf %s_6, %19#3 : f32
        scf.yield %s_7 : f32
      }
      %5 = arith.addi %2, %0 : index
      %6 = scf.for %arg4 = %5 to %arg2 step %c256 iter_args(%arg5 = %4) -> (f32) {
        %18 = memref.load %arg0[%arg4] : memref<?xf32>
        %s_4 = arith.addf %arg5, %18 : f32
        scf.yield %s_4 : f32
      }
      %7:2 = gpu.shuffle down %6, %c1_i32, %c32_i32 : f32
      %s = arith.addf %6, %7#0 : f32
      %8:2 = gpu.shuffle down %s, %c2_i32, %c32_i32 : f32
      %s_0 = arith.addf %s, %8#0 : f32
      %9:2 = gpu.shuffle down %s_0, %c4_i32, %c32_i32 : f32
      %s_1 = arith.addf %s_0, %9#0 : f32
      %10:2 = gpu.shuffle down %s_1, %c8_i32, %c32_i32 : f32
      %s_2 = arith.addf %s_1, %10#0 : f32
      %11:2 = gpu.shuffle down %s_2, %c16_i32, %c32_i32 : f32
      %s_3 = arith.addf %s_2, %11#0 : f32
      %12 = arith.divui %0, %c32 : index
      %13 = arith.remui %0, %c32 : index
      %14 = arith.cmpi eq, %13, %c0 : index
      scf.if %14 {
        memref.store %s_3, %arg3[%12] : memref<8xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %15 = arith.cmpi eq, %12, %c0 : index
      %16 = scf.if %15 -> (f32) {
        %18 = arith.cmpi ult, %13, %c8 : index
        %19 = scf.if %18 -> (f32) {
          %23 = memref.load %arg3[%13] : memref<8xf32, #gpu.address_space<workgroup>>
          scf.yield %23 : f32
        } else {
          scf.yield %cst : f32
        }
        %20:2 = gpu.shuffle down %19, %c1_i32, %c32_i32 : f32
        %s_4 = arith.addf %19, %20#0 : f32
        %21:2 = gpu.shuffle down %s_4, %c2_i32, %c32_i32 : f32
        %s_5 = arith.addf %s_4, %21#0 : f32
        %22:2 = gpu.shuffle down %s_5, %c4_i32, %c32_i32 : f32
        %s_6 = arith.addf %s_5, %22#0 : f32
        scf.yield %s_6 : f32
      } else {
        scf.yield %cst : f32
      }
      %17 = arith.cmpi eq, %0, %c0 : index
      scf.if %17 {
        memref.store %16, %arg1[%c0] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xf32> {array.sizes = ["n"]}, %steps: index) -> f32 {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %c4096 = arith.constant 4096 : index
    %c1024 = arith.constant 1024 : index
    %ys = scf.for %step = %zero to %steps step %one iter_args(%state = %xs) -> (memref<?xf32>) {
      %3 = memref.dim %state, %zero : memref<?xf32>
      %4 = gpu.alloc (%3) : memref<?xf32>
      %5 = arith.addi %3, %c3 : index
      %6 = arith.divui %5, %c4 : index
      %7 = arith.addi %6, %c255 : index
      %8 = arith.divui %7, %c256 : index
      %9 = arith.cmpi sle, %8, %c2147483647 : index
      %10 = arith.subi %8, %c2147483647 : index
      %11 = check.require %9, %8 else %one : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%8, %10 : index, index)
      gpu.launch_func @kernels::@main_segmap_0 blocks in (%8, %one, %one) threads in (%c256, %one, %one) args(%state : memref<?xf32>, %4 : memref<?xf32>, %6 : index, %3 : index)
      scf.yield %4 : memref<?xf32>
    }
    %0 = memref.dim %ys, %zero : memref<?xf32>
    %1 = kernel.at_least %0, "main.red0.parts" default 12289
    %2 = scf.if %1 -> (f32) {
      %3 = gpu.alloc (%one) : memref<?xf32>
      %4 = arith.ceildivsi %0, %c4096 : index
      %5 = arith.minsi %4, %c1024 : index
      %6 = arith.maxsi %5, %one : index
      %7 = arith.ceildivsi %0, %6 : index
      %8 = arith.addi %7, %c255 : index
      %9 = arith.divui %8, %c256 : index
      %10 = arith.maxsi %9, %one : index
      %11 = arith.muli %10, %c256 : index
      %12 = arith.ceildivsi %0, %11 : index
      %13 = arith.maxsi %12, %one : index
      %14 = gpu.alloc (%13) : memref<?xf32>
      %15 = arith.cmpi sle, %13, %c2147483647 : index
      %16 = arith.subi %13, %c2147483647 : index
      %17 = check.require %15, %13 else %one : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%13, %16 : index, index)
      gpu.launch_func @kernels::@main_segred_parts_1 blocks in (%13, %one, %one) threads in (%c256, %one, %one) args(%ys : memref<?xf32>, %14 : memref<?xf32>, %0 : index, %11 : index, %13 : index)
      gpu.launch_func @kernels::@main_segred_last_2 blocks in (%one, %one, %one) threads in (%c256, %one, %one) args(%14 : memref<?xf32>, %3 : memref<?xf32>, %0 : index, %13 : index)
      gpu.dealloc %14 : memref<?xf32>
      %18 = memref.load %3[%zero] : memref<?xf32>
      gpu.dealloc %3 : memref<?xf32>
      scf.yield %18 : f32
    } else {
      %3 = gpu.alloc (%one) : memref<?xf32>
      gpu.launch_func @kernels::@main_segred_block_3 blocks in (%one, %one, %one) threads in (%c256, %one, %one) args(%ys : memref<?xf32>, %3 : memref<?xf32>, %0 : index)
      %4 = memref.load %3[%zero] : memref<?xf32>
      gpu.dealloc %3 : memref<?xf32>
      scf.yield %4 : f32
    }
    func.return %2 : f32
  }
}
