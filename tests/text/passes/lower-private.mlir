// pass: builtin.module(func.func(choose-mapping),lower-to-gpu,canonicalize,cse,dce)
// An array that each thread makes: updated in place in a buffer with the points side by side, then transposed.
func.func @squares(%xs: tensor<?xi32>, %n: index, %m: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %n) -> (tensor<?x?xi32>) {
    %empty = tensor.empty(%m) : tensor<?xi32>
    %row = scf.for %j = %c0 to %m step %c1 iter_args(%t = %empty) -> (tensor<?xi32>) {
      %x = tensor.extract %xs[%i] : tensor<?xi32>
      %k = arith.index_cast %j : index to i32
      %y = arith.muli %x, %k : i32
      %u = tensor.insert %y into %t[%j] : tensor<?xi32>
      scf.yield %u : tensor<?xi32>
    }
    kernel.return %row : tensor<?xi32>
  }
  func.return %r : tensor<?x?xi32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @squares_segmap_0(%arg0: index, %arg1: memref<?xi32>, %arg2: index, %arg3: memref<?xi32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n"} {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c256 = arith.constant 256 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg2 : index
      scf.if %4 {
        scf.for %j = %c0 to %arg0 step %c1 {
          %x = memref.load %arg1[%3] : memref<?xi32>
          %k = arith.index_cast %j : index to i32
          %y = arith.muli %x, %k : i32
          %5 = arith.muli %j, %arg2 : index
          %6 = arith.addi %3, %5 : index
          memref.store %y, %arg3[%6] : memref<?xi32>
        }
      }
      gpu.return
    }
    gpu.func @squares_segmap_transposed_1(%arg0: memref<?xi32>, %arg1: index, %arg2: memref<?xi32>, %arg3: index, %arg4: index) workgroup(%arg5: memref<1056xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, FoldLast2(ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap_transposed at level thread over n x m"} {
      %c8 = arith.constant 8 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c33 = arith.constant 33 : index
      %c132 = arith.constant 132 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.divui %0, %arg4 : index
      %3 = arith.remui %0, %arg4 : index
      %4 = arith.divui %1, %c8 : index
      %5 = arith.remui %1, %c8 : index
      %6 = arith.muli %5, %c4 : index
      %7 = arith.muli %2, %c32 : index
      %8 = arith.muli %3, %c32 : index
      %9 = arith.addi %7, %4 : index
      %10 = arith.addi %8, %6 : index
      %11 = arith.muli %9, %arg3 : index
      %12 = arith.addi %11, %10 : index
      %13 = arith.addi %7, %6 : index
      %14 = arith.addi %8, %4 : index
      %15 = arith.muli %14, %arg1 : index
      %16 = arith.addi %15, %13 : index
      %17 = arith.cmpi slt, %13, %arg1 : index
      %18 = arith.cmpi slt, %14, %arg3 : index
      %19 = arith.andi %18, %17 : i1
      scf.if %19 {
        %23 = vector.load %arg0[%16] {alignment = 16 : i64} : memref<?xi32>, vector<4xi32>
        %24:4 = vector.to_elements %23 : vector<4xi32>
        %25 = arith.addi %6, %c1 : index
        %26 = arith.addi %6, %c2 : index
        %27 = arith.addi %6, %c3 : index
        %28 = arith.muli %4, %c33 : index
        %29 = arith.addi %28, %6 : index
        %30 = arith.addi %28, %25 : index
        %31 = arith.addi %28, %26 : index
        %32 = arith.addi %28, %27 : index
        memref.store %24#0, %arg5[%29] : memref<1056xi32, #gpu.address_space<workgroup>>
        memref.store %24#1, %arg5[%30] : memref<1056xi32, #gpu.address_space<workgroup>>
        memref.store %24#2, %arg5[%31] : memref<1056xi32, #gpu.address_space<workgroup>>
        memref.store %24#3, %arg5[%32] : memref<1056xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %20 = arith.cmpi slt, %10, %arg3 : index
      %21 = arith.cmpi slt, %9, %arg1 : index
      %22 = arith.andi %21, %20 : i1
      scf.if %22 {
        %23 = arith.addi %6, %c1 : index
        %24 = arith.addi %6, %c2 : index
        %25 = arith.addi %6, %c3 : index
        %26 = arith.muli %5, %c132 : index
        %27 = arith.addi %26, %4 : index
        %28 = memref.load %arg5[%27] : memref<1056xi32, #gpu.address_space<workgroup>>
        %29 = arith.muli %23, %c33 : index
        %30 = arith.addi %29, %4 : index
        %31 = memref.load %arg5[%30] : memref<1056xi32, #gpu.address_space<workgroup>>
        %32 = arith.muli %24, %c33 : index
        %33 = arith.addi %32, %4 : index
        %34 = memref.load %arg5[%33] : memref<1056xi32, #gpu.address_space<workgroup>>
        %35 = arith.muli %25, %c33 : index
        %36 = arith.addi %35, %4 : index
        %37 = memref.load %arg5[%36] : memref<1056xi32, #gpu.address_space<workgroup>>
        %38 = vector.from_elements %28, %31, %34, %37 : vector<4xi32>
        vector.store %38, %arg2[%12] {alignment = 16 : i64} : memref<?xi32>, vector<4xi32>
      }
      gpu.return
    }
    gpu.func @squares_segmap_transposed_2(%arg0: memref<?xi32>, %arg1: index, %arg2: memref<?xi32>, %arg3: index, %arg4: index) workgroup(%arg5: memref<1056xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, FoldLast2(ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap_transposed at level thread over n x m"} {
      %c32 = arith.constant 32 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c24 = arith.constant 24 : index
      %c33 = arith.constant 33 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.divui %0, %arg4 : index
      %3 = arith.remui %0, %arg4 : index
      %4 = arith.divui %1, %c32 : index
      %5 = arith.remui %1, %c32 : index
      %6 = arith.muli %2, %c32 : index
      %7 = arith.muli %3, %c32 : index
      %8 = arith.addi %7, %5 : index
      %9 = arith.muli %6, %arg3 : index
      %10 = arith.addi %9, %8 : index
      %11 = arith.addi %6, %c32 : index
      %12 = arith.cmpi sle, %11, %arg1 : index
      %13 = arith.addi %7, %c32 : index
      %14 = arith.cmpi sle, %13, %arg3 : index
      %15 = arith.andi %12, %14 : i1
      %16 = arith.addi %6, %5 : index
      %17 = arith.muli %7, %arg1 : index
      %18 = arith.addi %17, %16 : index
      scf.if %15 {
        %19 = arith.addi %4, %c8 : index
        %20 = arith.addi %4, %c16 : index
        %21 = arith.addi %4, %c24 : index
        %22 = arith.muli %4, %arg1 : index
        %23 = arith.addi %18, %22 : index
        %24 = memref.load %arg0[%23] : memref<?xi32>
        %25 = arith.muli %19, %arg1 : index
        %26 = arith.addi %18, %25 : index
        %27 = memref.load %arg0[%26] : memref<?xi32>
        %28 = arith.muli %20, %arg1 : index
        %29 = arith.addi %18, %28 : index
        %30 = memref.load %arg0[%29] : memref<?xi32>
        %31 = arith.muli %21, %arg1 : index
        %32 = arith.addi %18, %31 : index
        %33 = memref.load %arg0[%32] : memref<?xi32>
        %34 = arith.muli %4, %c33 : index
        %35 = arith.addi %34, %5 : index
        memref.store %24, %arg5[%35] : memref<1056xi32, #gpu.address_space<workgroup>>
        %36 = arith.muli %19, %c33 : index
        %37 = arith.addi %36, %5 : index
        memref.store %27, %arg5[%37] : memref<1056xi32, #gpu.address_space<workgroup>>
        %38 = arith.muli %20, %c33 : index
        %39 = arith.addi %38, %5 : index
        memref.store %30, %arg5[%39] : memref<1056xi32, #gpu.address_space<workgroup>>
        %40 = arith.muli %21, %c33 : index
        %41 = arith.addi %40, %5 : index
        memref.store %33, %arg5[%41] : memref<1056xi32, #gpu.address_space<workgroup>>
      } else {
        %19 = arith.cmpi slt, %16, %arg1 : index
        %20 = arith.subi %arg3, %7 : index
        %21 = arith.minsi %20, %c32 : index
        scf.if %19 {
          scf.for %arg6 = %4 to %21 step %c8 {
            %22 = arith.muli %arg6, %arg1 : index
            %23 = arith.addi %18, %22 : index
            %24 = memref.load %arg0[%23] : memref<?xi32>
            %25 = arith.muli %arg6, %c33 : index
            %26 = arith.addi %25, %5 : index
            memref.store %24, %arg5[%26] : memref<1056xi32, #gpu.address_space<workgroup>>
          }
        }
      }
      gpu.barrier
      scf.if %15 {
        %19 = arith.addi %4, %c8 : index
        %20 = arith.addi %4, %c16 : index
        %21 = arith.addi %4, %c24 : index
        %22 = arith.muli %5, %c33 : index
        %23 = arith.addi %22, %4 : index
        %24 = memref.load %arg5[%23] : memref<1056xi32, #gpu.address_space<workgroup>>
        %25 = arith.muli %4, %arg3 : index
        %26 = arith.addi %10, %25 : index
        memref.store %24, %arg2[%26] : memref<?xi32>
        %27 = arith.addi %22, %19 : index
        %28 = memref.load %arg5[%27] : memref<1056xi32, #gpu.address_space<workgroup>>
        %29 = arith.muli %19, %arg3 : index
        %30 = arith.addi %10, %29 : index
        memref.store %28, %arg2[%30] : memref<?xi32>
        %31 = arith.addi %22, %20 : index
        %32 = memref.load %arg5[%31] : memref<1056xi32, #gpu.address_space<workgroup>>
        %33 = arith.muli %20, %arg3 : index
        %34 = arith.addi %10, %33 : index
        memref.store %32, %arg2[%34] : memref<?xi32>
        %35 = arith.addi %22, %21 : index
        %36 = memref.load %arg5[%35] : memref<1056xi32, #gpu.address_space<workgroup>>
        %37 = arith.muli %21, %arg3 : index
        %38 = arith.addi %10, %37 : index
        memref.store %36, %arg2[%38] : memref<?xi32>
      } else {
        %19 = arith.cmpi slt, %8, %arg3 : index
        %20 = arith.subi %arg1, %6 : index
        %21 = arith.minsi %20, %c32 : index
        scf.if %19 {
          scf.for %arg6 = %4 to %21 step %c8 {
            %22 = arith.muli %5, %c33 : index
            %23 = arith.addi %22, %arg6 : index
            %24 = memref.load %arg5[%23] : memref<1056xi32, #gpu.address_space<workgroup>>
            %25 = arith.muli %arg6, %arg3 : index
            %26 = arith.addi %10, %25 : index
            memref.store %24, %arg2[%26] : memref<?xi32>
          }
        }
      }
      gpu.return
    }
  }
  func.func @squares(%xs: memref<?xi32>, %n: index, %m: index) -> memref<?x?xi32> {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %0 = arith.addi %n, %c255 : index
    %1 = arith.divui %0, %c256 : index
    %2 = arith.cmpi sle, %1, %c2147483647 : index
    %3 = arith.subi %1, %c2147483647 : index
    %4 = check.require %2, %1 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%1, %3 : index, index)
    %5 = arith.muli %m, %n : index
    %6 = gpu.alloc (%5) : memref<?xi32>
    gpu.launch_func @kernels::@squares_segmap_0 blocks in (%1, %c1, %c1) threads in (%c256, %c1, %c1) args(%m : index, %xs : memref<?xi32>, %n : index, %6 : memref<?xi32>)
    %7 = gpu.alloc (%5) : memref<?xi32>
    %8 = arith.ori %n, %m : index
    %9 = arith.ori %8, %n : index
    %10 = arith.andi %9, %c3 : index
    %11 = arith.cmpi sle, %10, %c0 : index
    scf.if %11 {
      %13 = arith.addi %n, %c31 : index
      %14 = arith.divui %13, %c32 : index
      %15 = arith.addi %m, %c31 : index
      %16 = arith.divui %15, %c32 : index
      %17 = arith.muli %14, %16 : index
      %18 = arith.cmpi sle, %17, %c2147483647 : index
      %19 = arith.subi %17, %c2147483647 : index
      %20 = check.require %18, %17 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%17, %19 : index, index)
      gpu.launch_func @kernels::@squares_segmap_transposed_1 blocks in (%17, %c1, %c1) threads in (%c256, %c1, %c1) args(%6 : memref<?xi32>, %n : index, %7 : memref<?xi32>, %m : index, %16 : index)
    } else {
      %13 = arith.addi %n, %c31 : index
      %14 = arith.divui %13, %c32 : index
      %15 = arith.addi %m, %c31 : index
      %16 = arith.divui %15, %c32 : index
      %17 = arith.muli %14, %16 : index
      %18 = arith.cmpi sle, %17, %c2147483647 : index
      %19 = arith.subi %17, %c2147483647 : index
      %20 = check.require %18, %17 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%17, %19 : index, index)
      gpu.launch_func @kernels::@squares_segmap_transposed_2 blocks in (%17, %c1, %c1) threads in (%c256, %c1, %c1) args(%6 : memref<?xi32>, %n : index, %7 : memref<?xi32>, %m : index, %16 : index)
    }
    %12 = memref.reinterpret_cast %7 to offset: [0], sizes: [%n, %m], strides: [%m, 1] : memref<?xi32> to memref<?x?xi32>
    func.return %12 : memref<?x?xi32>
  }
}
