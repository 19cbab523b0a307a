// pass: builtin.module(func.func(choose-mapping),lower-to-gpu,canonicalize,cse,dce)
// A point run by a thread block: one sum of all its threads, then a segmap that writes to the result at once; the
// exponentials between them lie in dynamic shared memory.
func.func @rows(%xs: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %r = kernel.segmap block (%i < %n) -> (tensor<?x?xf32>) {
    %es = kernel.segmap thread (%j < %m) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
      %e = arith.mulf %x, %x : f32
      kernel.return %e : f32
    }
    %sum = kernel.segred thread (%j < %m) init (%zero : f32) -> (f32) {
      %e = tensor.extract %es[%j] : tensor<?xf32>
      kernel.return %e : f32
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f32
      kernel.return %s : f32
    }
    %ys = kernel.segmap thread (%j < %m) -> (tensor<?xf32>) {
      %e = tensor.extract %es[%j] : tensor<?xf32>
      %y = arith.divf %e, %sum : f32
      kernel.return %y : f32
    }
    kernel.return %ys : tensor<?xf32>
  }
  func.return %r : tensor<?x?xf32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @rows_segmap_block_0(%arg0: index, %arg1: memref<?xf32>, %arg2: index, %arg3: index, %arg4: index, %arg5: memref<?xf32>) workgroup(%arg6: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over n"} {
      %c0 = arith.constant 0 : index
      %cst = arith.constant 0.000000e+00 : f32
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c2_i32 = arith.constant 2 : i32
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %c16_i32 = arith.constant 16 : i32
      %c0_i32 = arith.constant 0 : i32
      %0 = gpu.shared_array %c0, %arg0 : memref<?xf32, #gpu.address_space<workgroup>>
      %1 = gpu.block_id x
      %2 = gpu.thread_id x
      %3 = arith.divui %2, %c32 : index
      %4 = arith.remui %2, %c32 : index
      %5 = arith.divui %arg4, %c32 : index
      %6 = arith.muli %arg4, %c4 : index
      %7 = arith.remui %arg0, %6 : index
      %8 = arith.subi %arg0, %7 : index
      scf.for %arg7 = %2 to %8 step %6 {
        %26 = arith.muli %1, %arg2 : index
        %27 = arith.addi %26, %arg7 : index
        %x = memref.load %arg1[%27] : memref<?xf32>
        %e = arith.mulf %x, %x : f32
        memref.store %e, %0[%arg7] : memref<?xf32, #gpu.address_space<workgroup>>
        %28 = arith.addi %arg7, %arg4 : index
        %29 = arith.addi %26, %28 : index
        %x_9 = memref.load %arg1[%29] : memref<?xf32>
        %e_10 = arith.mulf %x_9, %x_9 : f32
        memref.store %e_10, %0[%28] : memref<?xf32, #gpu.address_space<workgroup>>
        %30 = arith.addi %28, %arg4 : index
        %31 = arith.addi %26, %30 : index
        %x_11 = memref.load %arg1[%31] : memref<?xf32>
        %e_12 = arith.mulf %x_11, %x_11 : f32
        memref.store %e_12, %0[%30] : memref<?xf32, #gpu.address_space<workgroup>>
        %32 = arith.addi %30, %arg4 : index
        %33 = arith.addi %26, %32 : index
        %x_13 = memref.load %arg1[%33] : memref<?xf32>
        %e_14 = arith.mulf %x_13, %x_13 : f32
        memref.store %e_14, %0[%32] : memref<?xf32, #gpu.address_space<workgroup>>
      }
      %9 = arith.addi %8, %2 : index
      scf.for %arg7 = %9 to %arg0 step %arg4 {
        %26 = arith.muli %1, %arg2 : index
        %27 = arith.addi %26, %arg7 : index
        %x = memref.load %arg1[%27] : memref<?xf32>
        %e = arith.mulf %x, %x : f32
        memref.store %e, %0[%arg7] : memref<?xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %10 = scf.for %arg7 = %2 to %arg0 step %arg4 iter_args(%arg8 = %cst) -> (f32) {
        %e = memref.load %0[%arg7] : memref<?xf32, #gpu.address_space<workgroup>>
        %s_9 = arith.addf %arg8, %e : f32
        scf.yield %s_9 : f32
      }
      %11:2 = gpu.shuffle down %10, %c1_i32, %c32_i32 : f32
      %s = arith.addf %10, %11#0 : f32
      %12:2 = gpu.shuffle down %s, %c2_i32, %c32_i32 : f32
      %s_0 = arith.addf %s, %12#0 : f32
      %13:2 = gpu.shuffle down %s_0, %c4_i32, %c32_i32 : f32
      %s_1 = arith.addf %s_0, %13#0 : f32
      %14:2 = gpu.shuffle down %s_1, %c8_i32, %c32_i32 : f32
      %s_2 = arith.addf %s_1, %14#0 : f32
      %15:2 = gpu.shuffle down %s_2, %c16_i32, %c32_i32 : f32
      %s_3 = arith.addf %s_2, %15#0 : f32
      %16 = arith.cmpi eq, %4, %c0 : index
      scf.if %16 {
        memref.store %s_3, %arg6[%3] : memref<32xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %17 = arith.cmpi ult, %4, %5 : index
      %18 = scf.if %17 -> (f32) {
        %26 = memref.load %arg6[%4] : memref<32xf32, #gpu.address_space<workgroup>>
        scf.yield %26 : f32
      } else {
        scf.yield %cst : f32
      }
      %19:2 = gpu.shuffle down %18, %c1_i32, %c32_i32 : f32
      %s_4 = arith.addf %18, %19#0 : f32
      %20:2 = gpu.shuffle down %s_4, %c2_i32, %c32_i32 : f32
      %s_5 = arith.addf %s_4, %20#0 : f32
      %21:2 = gpu.shuffle down %s_5, %c4_i32, %c32_i32 : f32
      %s_6 = arith.addf %s_5, %21#0 : f32
      %22:2 = gpu.shuffle down %s_6, %c8_i32, %c32_i32 : f32
      %s_7 = arith.addf %s_6, %22#0 : f32
      %23:2 = gpu.shuffle down %s_7, %c16_i32, %c32_i32 : f32
      %s_8 = arith.addf %s_7, %23#0 : f32
      %24:2 = gpu.shuffle idx %s_8, %c0_i32, %c32_i32 : f32
      %25 = arith.muli %1, %arg0 : index
      scf.for %arg7 = %2 to %arg0 step %arg4 {
        %e = memref.load %0[%arg7] : memref<?xf32, #gpu.address_space<workgroup>>
        %y = arith.divf %e, %24#0 : f32
        %26 = arith.addi %25, %arg7 : index
        memref.store %y, %arg5[%26] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @rows(%xs: memref<?x?xf32>, %n: index, %m: index) -> memref<?x?xf32> {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %c2147483647 = arith.constant 2147483647 : index
    %0 = arith.maxsi %m, %c1 : index
    %1 = arith.maxsi %0, %m : index
    %2 = arith.maxsi %1, %m : index
    %3 = arith.minsi %2, %c256 : index
    %4 = arith.addi %3, %c31 : index
    %5 = arith.divui %4, %c32 : index
    %6 = arith.muli %5, %c32 : index
    %7 = memref.dim %xs, %c0 : memref<?x?xf32>
    %8 = memref.dim %xs, %c1 : memref<?x?xf32>
    %9 = arith.muli %7, %8 : index
    %10 = memref.reinterpret_cast %xs to offset: [0], sizes: [%9], strides: [1] : memref<?x?xf32> to memref<?xf32>
    %11 = arith.muli %m, %c4 : index
    %12 = arith.addi %11, %c15 : index
    %13 = arith.divui %12, %c16 : index
    %14 = arith.muli %13, %c16 : index
    %15 = arith.muli %n, %m : index
    %16 = gpu.alloc (%15) : memref<?xf32>
    %17 = arith.cmpi sle, %n, %c2147483647 : index
    %18 = arith.subi %n, %c2147483647 : index
    %19 = check.require %17, %n else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%n, %18 : index, index)
    %20 = arith.index_cast %14 : index to i32
    gpu.launch_func @kernels::@rows_segmap_block_0 blocks in (%n, %c1, %c1) threads in (%6, %c1, %c1) dynamic_shared_memory_size %20 args(%m : index, %10 : memref<?xf32>, %8 : index, %n : index, %6 : index, %16 : memref<?xf32>)
    %21 = memref.reinterpret_cast %16 to offset: [0], sizes: [%n, %m], strides: [%m, 1] : memref<?xf32> to memref<?x?xf32>
    func.return %21 : memref<?x?xf32>
  }
}
