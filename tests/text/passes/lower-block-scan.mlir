// pass: builtin.module(func.func(choose-mapping),lower-to-gpu,canonicalize,cse,dce)
// A loop around a scan inside a thread block: the carried row is one shared array, every step copies into it.
func.func @steps(%xs: tensor<?x?xi32>, %n: index, %m: index, %steps: index) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x?xi32>) {
    %size1 = tensor.dim %xs, %c1 : tensor<?x?xi32>
    %row = tensor.extract_slice %xs[%i, 0] [1, %size1] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
    %last = scf.for %t = %c0 to %steps step %c1 iter_args(%now = %row) -> (tensor<?xi32>) {
      %next = kernel.segscan thread (%j < %m) init (%zero : i32) -> (tensor<?xi32>) {
        %x = tensor.extract %now[%j] : tensor<?xi32>
        kernel.return %x : i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        kernel.return %s : i32
      }
      scf.yield %next : tensor<?xi32>
    }
    kernel.return %last : tensor<?xi32>
  }
  func.return %r : tensor<?x?xi32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @steps_segmap_block_0(%arg0: memref<?xi32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: memref<?xi32>) workgroup(%arg8: memref<32xi32, #gpu.address_space<workgroup>>) kernel attributes {mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over n"} {
      %c0 = arith.constant 0 : index
      %c0_i32 = arith.constant 0 : i32
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c2_i32 = arith.constant 2 : i32
      %c2 = arith.constant 2 : index
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %c8 = arith.constant 8 : index
      %c16_i32 = arith.constant 16 : i32
      %c16 = arith.constant 16 : index
      %c31 = arith.constant 31 : index
      %c31_i32 = arith.constant 31 : i32
      %0 = gpu.shared_array %arg6, %arg3 : memref<?xi32, #gpu.address_space<workgroup>>
      %1 = gpu.shared_array %c0, %arg1 : memref<?xi32, #gpu.address_space<workgroup>>
      %2 = gpu.block_id x
      %3 = gpu.thread_id x
      %4 = arith.divui %3, %c32 : index
      %5 = arith.remui %3, %c32 : index
      %6 = arith.divui %arg5, %c32 : index
      %7 = arith.muli %2, %arg1 : index
      gpu.barrier
      %8 = arith.muli %arg5, %c4 : index
      %9 = arith.remui %arg1, %8 : index
      %10 = arith.subi %arg1, %9 : index
      scf.for %arg9 = %3 to %10 step %8 {
        %12 = arith.addi %7, %arg9 : index
        %13 = memref.load %arg0[%12] : memref<?xi32>
        memref.store %13, %1[%arg9] : memref<?xi32, #gpu.address_space<workgroup>>
        %14 = arith.addi %arg9, %arg5 : index
        %15 = arith.addi %7, %14 : index
        %16 = memref.load %arg0[%15] : memref<?xi32>
        memref.store %16, %1[%14] : memref<?xi32, #gpu.address_space<workgroup>>
        %17 = arith.addi %14, %arg5 : index
        %18 = arith.addi %7, %17 : index
        %19 = memref.load %arg0[%18] : memref<?xi32>
        memref.store %19, %1[%17] : memref<?xi32, #gpu.address_space<workgroup>>
        %20 = arith.addi %17, %arg5 : index
        %21 = arith.addi %7, %20 : index
        %22 = memref.load %arg0[%21] : memref<?xi32>
        memref.store %22, %1[%20] : memref<?xi32, #gpu.address_space<workgroup>>
      }
      %11 = arith.addi %10, %3 : index
      scf.for %arg9 = %11 to %arg1 step %arg5 {
        %12 = arith.addi %7, %arg9 : index
        %13 = memref.load %arg0[%12] : memref<?xi32>
        memref.store %13, %1[%arg9] : memref<?xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      scf.for %t = %c0 to %arg2 step %c1 {
        gpu.barrier
        %12 = scf.for %arg9 = %c0 to %arg3 step %arg5 iter_args(%arg10 = %c0_i32) -> (i32) {
          %14 = arith.addi %arg9, %3 : index
          %15 = arith.cmpi slt, %14, %arg3 : index
          %16 = scf.if %15 -> (i32) {
            %x = memref.load %1[%14] : memref<?xi32, #gpu.address_space<workgroup>>
            scf.yield %x : i32
          } else {
            scf.yield %c0_i32 : i32
          }
          %17:2 = gpu.shuffle up %16, %c1_i32, %c32_i32 : i32
          %18 = arith.cmpi uge, %5, %c1 : index
          %19 = scf.if %18 -> (i32) {
            %s_2 = arith.addi %17#0, %16 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %16 : i32
          }
          %20:2 = gpu.shuffle up %19, %c2_i32, %c32_i32 : i32
          %21 = arith.cmpi uge, %5, %c2 : index
          %22 = scf.if %21 -> (i32) {
            %s_2 = arith.addi %20#0, %19 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %19 : i32
          }
          %23:2 = gpu.shuffle up %22, %c4_i32, %c32_i32 : i32
          %24 = arith.cmpi uge, %5, %c4 : index
          %25 = scf.if %24 -> (i32) {
            %s_2 = arith.addi %23#0, %22 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %22 : i32
          }
          %26:2 = gpu.shuffle up %25, %c8_i32, %c32_i32 : i32
          %27 = arith.cmpi uge, %5, %c8 : index
          %28 = scf.if %27 -> (i32) {
            %s_2 = arith.addi %26#0, %25 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %25 : i32
          }
          %29:2 = gpu.shuffle up %28, %c16_i32, %c32_i32 : i32
          %30 = arith.cmpi uge, %5, %c16 : index
          %31 = scf.if %30 -> (i32) {
            %s_2 = arith.addi %29#0, %28 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %28 : i32
          }
          %32 = arith.cmpi eq, %5, %c31 : index
          scf.if %32 {
            memref.store %31, %arg8[%4] : memref<32xi32, #gpu.address_space<workgroup>>
          }
          gpu.barrier
          %33 = arith.cmpi ult, %5, %6 : index
          %34 = scf.if %33 -> (i32) {
            %51 = memref.load %arg8[%5] : memref<32xi32, #gpu.address_space<workgroup>>
            scf.yield %51 : i32
          } else {
            scf.yield %c0_i32 : i32
          }
          %35:2 = gpu.shuffle up %34, %c1_i32, %c32_i32 : i32
          %36 = scf.if %18 -> (i32) {
            %s_2 = arith.addi %35#0, %34 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %34 : i32
          }
          %37:2 = gpu.shuffle up %36, %c2_i32, %c32_i32 : i32
          %38 = scf.if %21 -> (i32) {
            %s_2 = arith.addi %37#0, %36 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %36 : i32
          }
          %39:2 = gpu.shuffle up %38, %c4_i32, %c32_i32 : i32
          %40 = scf.if %24 -> (i32) {
            %s_2 = arith.addi %39#0, %38 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %38 : i32
          }
          %41:2 = gpu.shuffle up %40, %c8_i32, %c32_i32 : i32
          %42 = scf.if %27 -> (i32) {
            %s_2 = arith.addi %41#0, %40 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %40 : i32
          }
          %43:2 = gpu.shuffle up %42, %c16_i32, %c32_i32 : i32
          %44 = scf.if %30 -> (i32) {
            %s_2 = arith.addi %43#0, %42 : i32
            scf.yield %s_2 : i32
          } else {
            scf.yield %42 : i32
          }
          %45:2 = gpu.shuffle up %44, %c1_i32, %c32_i32 : i32
          %46 = arith.cmpi eq, %5, %c0 : index
          %47 = arith.select %46, %c0_i32, %45#0 : i32
          %48 = arith.index_cast %4 : index to i32
          %49:2 = gpu.shuffle idx %47, %48, %c32_i32 : i32
          %50:2 = gpu.shuffle idx %44, %c31_i32, %c32_i32 : i32
          %s = arith.addi %arg10, %49#0 : i32
          %s_0 = arith.addi %s, %31 : i32
          scf.if %15 {
            memref.store %s_0, %0[%14] : memref<?xi32, #gpu.address_space<workgroup>>
          }
          gpu.barrier
          %s_1 = arith.addi %arg10, %50#0 : i32
          scf.yield %s_1 : i32
        }
        gpu.barrier
        %13 = arith.cmpi eq, %arg3, %arg1 : index
        gpu.check %13, "an array of extent {1} cannot become one of extent {0}"(%arg3, %arg1 : index, index)
        scf.for %arg9 = %3 to %arg1 step %arg5 {
          %14 = memref.load %0[%arg9] : memref<?xi32, #gpu.address_space<workgroup>>
          memref.store %14, %1[%arg9] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
      }
      gpu.barrier
      scf.for %arg9 = %3 to %arg1 step %arg5 {
        %12 = memref.load %1[%arg9] : memref<?xi32, #gpu.address_space<workgroup>>
        %13 = arith.addi %7, %arg9 : index
        memref.store %12, %arg7[%13] : memref<?xi32>
      }
      gpu.barrier
      gpu.return
    }
  }
  func.func @steps(%xs: memref<?x?xi32>, %n: index, %m: index, %steps: index) -> memref<?x?xi32> {
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
    %1 = arith.minsi %0, %c256 : index
    %2 = arith.addi %1, %c31 : index
    %3 = arith.divui %2, %c32 : index
    %4 = arith.muli %3, %c32 : index
    %5 = memref.dim %xs, %c0 : memref<?x?xi32>
    %6 = memref.dim %xs, %c1 : memref<?x?xi32>
    %7 = arith.muli %5, %6 : index
    %8 = memref.reinterpret_cast %xs to offset: [0], sizes: [%7], strides: [1] : memref<?x?xi32> to memref<?xi32>
    %9 = arith.muli %6, %c4 : index
    %10 = arith.addi %9, %c15 : index
    %11 = arith.divui %10, %c16 : index
    %12 = arith.muli %11, %c16 : index
    %13 = arith.muli %m, %c4 : index
    %14 = arith.addi %12, %13 : index
    %15 = arith.addi %14, %c15 : index
    %16 = arith.divui %15, %c16 : index
    %17 = arith.muli %16, %c16 : index
    %18 = arith.muli %n, %6 : index
    %19 = gpu.alloc (%18) : memref<?xi32>
    %20 = arith.cmpi sle, %n, %c2147483647 : index
    %21 = arith.subi %n, %c2147483647 : index
    %22 = check.require %20, %n else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%n, %21 : index, index)
    %23 = arith.index_cast %17 : index to i32
    gpu.launch_func @kernels::@steps_segmap_block_0 blocks in (%n, %c1, %c1) threads in (%4, %c1, %c1) dynamic_shared_memory_size %23 args(%8 : memref<?xi32>, %6 : index, %steps : index, %m : index, %n : index, %4 : index, %12 : index, %19 : memref<?xi32>)
    %24 = memref.reinterpret_cast %19 to offset: [0], sizes: [%n, %6], strides: [%6, 1] : memref<?xi32> to memref<?x?xi32>
    func.return %24 : memref<?x?xi32>
  }
}
