// pass: builtin.module(array-to-gpu)
// Maps in maps have the outer version and the flattened one, behind a threshold.
func.func @main(%a: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %b = array.map (%row in %a : [n][m]f32) {
    %r = array.map (%x in %row : [m]f32) {
      %y = arith.mulf %x, %x : f32
      array.yield %y : f32
    }
    array.yield %r : !array.array<[m]f32>
  }
  func.return %b : !array.array<[n][m]f32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_0(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?xf32>, %arg4: index, %arg5: index, %arg6: memref<?xf32>) kernel attributes {arg_attrs = [{}, {}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {llvm.noalias}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over a.0"} {
      %c256 = arith.constant 256 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg5 : index
      scf.if %4 {
        scf.for %arg7 = %arg1 to %arg0 step %arg2 {
          %5 = arith.muli %3, %arg4 : index
          %6 = arith.addi %5, %arg7 : index
          %7 = memref.load %arg3[%6] : memref<?xf32>
          %y = arith.mulf %7, %7 : f32
          %8 = arith.muli %arg7, %arg5 : index
          %9 = arith.addi %3, %8 : index
          memref.store %y, %arg6[%9] : memref<?xf32>
        }
      }
      gpu.return
    }
    gpu.func @main_segmap_transposed_1(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index, %arg5: index) workgroup(%arg6: memref<1056xf32, #gpu.address_space<workgroup>>) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, Permute([1,0], FoldLast2(Permute([2,0,1], Gen))))", summary = "segmap_transposed at level thread over a.0 x a.1"} {
      %c32 = arith.constant 32 : index
      %c8 = arith.constant 8 : index
      %c33 = arith.constant 33 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.divui %0, %arg5 : index
      %3 = arith.remui %0, %arg5 : index
      %4 = arith.divui %1, %c32 : index
      %5 = arith.remui %1, %c32 : index
      %6 = arith.muli %2, %c32 : index
      %7 = arith.muli %3, %c32 : index
      scf.for %arg7 = %4 to %c32 step %c8 {
        %8 = arith.addi %6, %5 : index
        %9 = arith.addi %7, %arg7 : index
        %10 = arith.cmpi slt, %8, %arg3 : index
        %11 = arith.cmpi slt, %9, %arg4 : index
        %12 = arith.andi %10, %11 : i1
        %13 = arith.muli %arg7, %c33 : index
        %14 = arith.addi %13, %5 : index
        scf.if %12 {
          %15 = arith.muli %9, %arg1 : index
          %16 = arith.addi %15, %8 : index
          %17 = memref.load %arg0[%16] : memref<?xf32>
          memref.store %17, %arg6[%14] : memref<1056xf32, #gpu.address_space<workgroup>>
        }
      }
      gpu.barrier
      scf.for %arg7 = %4 to %c32 step %c8 {
        %8 = arith.addi %6, %arg7 : index
        %9 = arith.addi %7, %5 : index
        %10 = arith.cmpi slt, %8, %arg3 : index
        %11 = arith.cmpi slt, %9, %arg4 : index
        %12 = arith.andi %10, %11 : i1
        scf.if %12 {
          %13 = arith.muli %5, %c33 : index
          %14 = arith.addi %13, %arg7 : index
          %15 = memref.load %arg6[%14] : memref<1056xf32, #gpu.address_space<workgroup>>
          %16 = arith.muli %8, %arg4 : index
          %17 = arith.addi %16, %9 : index
          memref.store %15, %arg2[%17] : memref<?xf32>
        }
      }
      gpu.return
    }
    gpu.func @main_segmap_block_2(%arg0: index, %arg1: memref<?xf32>, %arg2: index, %arg3: index, %arg4: index, %arg5: memref<?xf32>) kernel attributes {arg_attrs = [{}, {llvm.noalias, llvm.readonly}, {}, {}, {}, {llvm.noalias}], mapping = "GridBlock(1, Gen)", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over a.0"} {
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %arg0 : index
      scf.for %arg6 = %1 to %arg0 step %arg4 {
        %3 = arith.muli %0, %arg2 : index
        %4 = arith.addi %3, %arg6 : index
        %5 = memref.load %arg1[%4] : memref<?xf32>
        %y = arith.mulf %5, %5 : f32
        %6 = arith.addi %2, %arg6 : index
        memref.store %y, %arg5[%6] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segmap_3(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over a.0 x a.1"} {
      %c256 = arith.constant 256 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg3 : index
      scf.if %4 {
        %5 = arith.muli %3, %c4 : index
        %6 = arith.addi %5, %c4 : index
        %7 = arith.cmpi sle, %6, %arg4 : index
        scf.if %7 {
          %8 = vector.load %arg0[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %9:4 = "vector.to_elements"(%8) : (vector<4xf32>) -> (f32, f32, f32, f32)
          %y = arith.mulf %9#0, %9#0 : f32
          %y_0 = arith.mulf %9#1, %9#1 : f32
          %y_1 = arith.mulf %9#2, %9#2 : f32
          %y_2 = arith.mulf %9#3, %9#3 : f32
          %10 = "vector.from_elements"(%y, %y_0, %y_1, %y_2) : (f32, f32, f32, f32) -> vector<4xf32>
          vector.store %10, %arg2[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %8 = arith.minsi %6, %arg4 : index
          scf.for %arg5 = %5 to %8 step %c1 {
            %9 = memref.load %arg0[%arg5] : memref<?xf32>
            %y = arith.mulf %9, %9 : f32
            memref.store %y, %arg2[%arg5] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
  }
  func.func @main(%a: memref<?x?xf32>) -> memref<?x?xf32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %0 = memref.dim %a, %c0 : memref<?x?xf32>
    %1 = memref.dim %a, %c1 : memref<?x?xf32>
    %2 = kernel.at_least %0, "main.top.0" default 32768
    %3 = scf.if %2 -> (memref<?x?xf32>) {
      %5 = arith.muli %0, %1 : index
      %6 = memref.reinterpret_cast %a to offset: [0], sizes: [%5], strides: [1] : memref<?x?xf32> to memref<?xf32>
      %7 = arith.addi %0, %c255 : index
      %8 = arith.divui %7, %c256 : index
      %9 = arith.cmpi sle, %8, %c2147483647 : index
      cf.assert %9, "the launch is larger than the hardware allows"
      %10 = gpu.alloc (%5) : memref<?xf32>
      gpu.launch_func @kernels::@main_segmap_0 blocks in (%8, %c1, %c1) threads in (%c256, %c1, %c1) args(%1 : index, %c0 : index, %c1 : index, %6 : memref<?xf32>, %1 : index, %0 : index, %10 : memref<?xf32>)
      %11 = memref.reinterpret_cast %10 to offset: [0], sizes: [%1, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32>
      %12 = gpu.alloc (%5) : memref<?xf32>
      %13 = arith.addi %0, %c31 : index
      %14 = arith.divui %13, %c32 : index
      %15 = arith.addi %1, %c31 : index
      %16 = arith.divui %15, %c32 : index
      %17 = memref.dim %11, %c0 : memref<?x?xf32>
      %18 = memref.dim %11, %c1 : memref<?x?xf32>
      %19 = arith.muli %17, %18 : index
      %20 = memref.reinterpret_cast %10 to offset: [0], sizes: [%19], strides: [1] : memref<?xf32> to memref<?xf32>
      %21 = arith.muli %14, %16 : index
      %22 = arith.cmpi sle, %21, %c2147483647 : index
      cf.assert %22, "the launch is larger than the hardware allows"
      gpu.launch_func @kernels::@main_segmap_transposed_1 blocks in (%21, %c1, %c1) threads in (%c256, %c1, %c1) args(%20 : memref<?xf32>, %18 : index, %12 : memref<?xf32>, %0 : index, %1 : index, %16 : index)
      gpu.dealloc %10 : memref<?xf32>
      %23 = memref.reinterpret_cast %12 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
      scf.yield %23 : memref<?x?xf32>
    } else {
      %5 = arith.cmpi sle, %1, %c1024 : index
      %6 = kernel.at_least %1, "main.intra.0" default 32
      %7 = arith.andi %5, %6 : i1
      %8 = scf.if %7 -> (memref<?x?xf32>) {
        %9 = arith.maxsi %1, %c1 : index
        %10 = arith.minsi %9, %c256 : index
        %11 = arith.addi %10, %c31 : index
        %12 = arith.divui %11, %c32 : index
        %13 = arith.muli %12, %c32 : index
        %14 = arith.muli %0, %1 : index
        %15 = memref.reinterpret_cast %a to offset: [0], sizes: [%14], strides: [1] : memref<?x?xf32> to memref<?xf32>
        %16 = gpu.alloc (%14) : memref<?xf32>
        %17 = arith.cmpi sle, %0, %c2147483647 : index
        %18 = arith.cmpi sle, %13, %c1024 : index
        cf.assert %17, "the launch is larger than the hardware allows"
        cf.assert %18, "the launch is larger than the hardware allows"
        gpu.launch_func @kernels::@main_segmap_block_2 blocks in (%0, %c1, %c1) threads in (%13, %c1, %c1) args(%1 : index, %15 : memref<?xf32>, %1 : index, %0 : index, %13 : index, %16 : memref<?xf32>)
        %19 = memref.reinterpret_cast %16 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
        scf.yield %19 : memref<?x?xf32>
      } else {
        %9 = arith.muli %0, %1 : index
        %10 = gpu.alloc (%9) : memref<?xf32>
        %11 = arith.addi %9, %c3 : index
        %12 = arith.divui %11, %c4 : index
        %13 = memref.reinterpret_cast %a to offset: [0], sizes: [%9], strides: [1] : memref<?x?xf32> to memref<?xf32>
        %14 = arith.addi %12, %c255 : index
        %15 = arith.divui %14, %c256 : index
        %16 = arith.cmpi sle, %15, %c2147483647 : index
        cf.assert %16, "the launch is larger than the hardware allows"
        gpu.launch_func @kernels::@main_segmap_3 blocks in (%15, %c1, %c1) threads in (%c256, %c1, %c1) args(%13 : memref<?xf32>, %1 : index, %10 : memref<?xf32>, %12 : index, %9 : index)
        %17 = memref.reinterpret_cast %10 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
        scf.yield %17 : memref<?x?xf32>
      }
      scf.yield %8 : memref<?x?xf32>
    }
    %4 = memref.reinterpret_cast %3 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?x?xf32> to memref<?x?xf32>
    func.return %4 : memref<?x?xf32>
  }
}
