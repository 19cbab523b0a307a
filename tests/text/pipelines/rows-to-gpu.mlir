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
      %0 = arith.index_cast %arg4 : index to i32
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.index_cast %arg0 : index to i32
      %3 = arith.index_cast %arg1 : index to i32
      %4 = arith.index_cast %arg5 : index to i32
      %c256_i32 = arith.constant 256 : i32
      %5 = gpu.block_id x
      %6 = arith.index_cast %5 : index to i32
      %7 = gpu.thread_id x
      %8 = arith.index_cast %7 : index to i32
      %9 = arith.muli %6, %c256_i32 overflow<nsw, nuw> : i32
      %10 = arith.addi %9, %8 overflow<nsw, nuw> : i32
      %11 = arith.cmpi slt, %10, %4 : i32
      scf.if %11 {
        scf.for %arg7 = %3 to %2 step %1 : i32 {
          %12 = arith.muli %10, %0 overflow<nsw, nuw> : i32
          %13 = arith.addi %12, %arg7 overflow<nsw, nuw> : i32
          %14 = arith.index_castui %13 : i32 to index
          %15 = memref.load %arg3[%14] : memref<?xf32>
          %y = arith.mulf %15, %15 : f32
          %16 = arith.muli %arg7, %4 overflow<nsw, nuw> : i32
          %17 = arith.addi %10, %16 overflow<nsw, nuw> : i32
          %18 = arith.index_castui %17 : i32 to index
          memref.store %y, %arg6[%18] : memref<?xf32>
        }
      }
      gpu.return
    }
    gpu.func @main_segmap_0_64(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?xf32>, %arg4: index, %arg5: index, %arg6: memref<?xf32>) kernel attributes {arg_attrs = [{}, {}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {llvm.noalias}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over a.0"} {
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
    gpu.func @main_segmap_transposed_1(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index, %arg5: index) workgroup(%arg6: memref<1056xf32, #gpu.address_space<workgroup>>) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, Permute([1,0], FoldLast2(Permute([2,0,1], Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap_transposed at level thread over a.0 x a.1"} {
      %0 = arith.index_cast %arg1 : index to i32
      %1 = arith.index_cast %arg4 : index to i32
      %2 = arith.index_cast %arg3 : index to i32
      %3 = arith.index_cast %arg5 : index to i32
      %c8_i32 = arith.constant 8 : i32
      %c4_i32 = arith.constant 4 : i32
      %c32_i32 = arith.constant 32 : i32
      %c1_i32 = arith.constant 1 : i32
      %c2_i32 = arith.constant 2 : i32
      %c3_i32 = arith.constant 3 : i32
      %c33_i32 = arith.constant 33 : i32
      %c132_i32 = arith.constant 132 : i32
      %4 = gpu.block_id x
      %5 = arith.index_cast %4 : index to i32
      %6 = gpu.thread_id x
      %7 = arith.index_cast %6 : index to i32
      %8 = arith.divui %5, %3 : i32
      %9 = arith.remui %5, %3 : i32
      %10 = arith.divui %7, %c8_i32 : i32
      %11 = arith.remui %7, %c8_i32 : i32
      %12 = arith.muli %11, %c4_i32 overflow<nsw, nuw> : i32
      %13 = arith.muli %8, %c32_i32 overflow<nsw, nuw> : i32
      %14 = arith.muli %9, %c32_i32 overflow<nsw, nuw> : i32
      %15 = arith.addi %13, %12 overflow<nsw, nuw> : i32
      %16 = arith.addi %14, %10 overflow<nsw, nuw> : i32
      %17 = arith.cmpi slt, %15, %2 : i32
      %18 = arith.cmpi slt, %16, %1 : i32
      %19 = arith.andi %17, %18 : i1
      %20 = arith.addi %12, %c1_i32 overflow<nsw, nuw> : i32
      %21 = arith.addi %12, %c2_i32 overflow<nsw, nuw> : i32
      %22 = arith.addi %12, %c3_i32 overflow<nsw, nuw> : i32
      %23 = arith.muli %10, %c33_i32 overflow<nsw, nuw> : i32
      %24 = arith.addi %23, %12 overflow<nsw, nuw> : i32
      %25 = arith.addi %23, %20 overflow<nsw, nuw> : i32
      %26 = arith.addi %23, %21 overflow<nsw, nuw> : i32
      %27 = arith.addi %23, %22 overflow<nsw, nuw> : i32
      scf.if %19 {
        %33 = arith.muli %16, %0 overflow<nsw, nuw> : i32
        %34 = arith.addi %33, %15 overflow<nsw, nuw> : i32
        %35 = arith.index_castui %34 : i32 to index
        %36 = vector.load %arg0[%35] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %37:4 = "vector.to_elements"(%36) : (vector<4xf32>) -> (f32, f32, f32, f32)
        %38 = arith.index_castui %24 : i32 to index
        memref.store %37#0, %arg6[%38] : memref<1056xf32, #gpu.address_space<workgroup>>
        %39 = arith.index_castui %25 : i32 to index
        memref.store %37#1, %arg6[%39] : memref<1056xf32, #gpu.address_space<workgroup>>
        %40 = arith.index_castui %26 : i32 to index
        memref.store %37#2, %arg6[%40] : memref<1056xf32, #gpu.address_space<workgroup>>
        %41 = arith.index_castui %27 : i32 to index
        memref.store %37#3, %arg6[%41] : memref<1056xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %28 = arith.addi %13, %10 overflow<nsw, nuw> : i32
      %29 = arith.addi %14, %12 overflow<nsw, nuw> : i32
      %30 = arith.cmpi slt, %28, %2 : i32
      %31 = arith.cmpi slt, %29, %1 : i32
      %32 = arith.andi %30, %31 : i1
      scf.if %32 {
        %33 = arith.muli %11, %c132_i32 overflow<nsw, nuw> : i32
        %34 = arith.addi %33, %10 overflow<nsw, nuw> : i32
        %35 = arith.index_castui %34 : i32 to index
        %36 = memref.load %arg6[%35] : memref<1056xf32, #gpu.address_space<workgroup>>
        %37 = arith.muli %20, %c33_i32 overflow<nsw, nuw> : i32
        %38 = arith.addi %37, %10 overflow<nsw, nuw> : i32
        %39 = arith.index_castui %38 : i32 to index
        %40 = memref.load %arg6[%39] : memref<1056xf32, #gpu.address_space<workgroup>>
        %41 = arith.muli %21, %c33_i32 overflow<nsw, nuw> : i32
        %42 = arith.addi %41, %10 overflow<nsw, nuw> : i32
        %43 = arith.index_castui %42 : i32 to index
        %44 = memref.load %arg6[%43] : memref<1056xf32, #gpu.address_space<workgroup>>
        %45 = arith.muli %22, %c33_i32 overflow<nsw, nuw> : i32
        %46 = arith.addi %45, %10 overflow<nsw, nuw> : i32
        %47 = arith.index_castui %46 : i32 to index
        %48 = memref.load %arg6[%47] : memref<1056xf32, #gpu.address_space<workgroup>>
        %49 = arith.muli %28, %1 overflow<nsw, nuw> : i32
        %50 = arith.addi %49, %29 overflow<nsw, nuw> : i32
        %51 = "vector.from_elements"(%36, %40, %44, %48) : (f32, f32, f32, f32) -> vector<4xf32>
        %52 = arith.index_castui %50 : i32 to index
        vector.store %51, %arg2[%52] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      }
      gpu.return
    }
    gpu.func @main_segmap_transposed_1_64(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index, %arg5: index) workgroup(%arg6: memref<1056xf32, #gpu.address_space<workgroup>>) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, Permute([1,0], FoldLast2(Permute([2,0,1], Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap_transposed at level thread over a.0 x a.1"} {
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
      %2 = arith.divui %0, %arg5 : index
      %3 = arith.remui %0, %arg5 : index
      %4 = arith.divui %1, %c8 : index
      %5 = arith.remui %1, %c8 : index
      %6 = arith.muli %5, %c4 : index
      %7 = arith.muli %2, %c32 : index
      %8 = arith.muli %3, %c32 : index
      %9 = arith.addi %7, %6 : index
      %10 = arith.addi %8, %4 : index
      %11 = arith.cmpi slt, %9, %arg3 : index
      %12 = arith.cmpi slt, %10, %arg4 : index
      %13 = arith.andi %11, %12 : i1
      %14 = arith.addi %6, %c1 : index
      %15 = arith.addi %6, %c2 : index
      %16 = arith.addi %6, %c3 : index
      %17 = arith.muli %4, %c33 : index
      %18 = arith.addi %17, %6 : index
      %19 = arith.addi %17, %14 : index
      %20 = arith.addi %17, %15 : index
      %21 = arith.addi %17, %16 : index
      scf.if %13 {
        %27 = arith.muli %10, %arg1 : index
        %28 = arith.addi %27, %9 : index
        %29 = vector.load %arg0[%28] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %30:4 = "vector.to_elements"(%29) : (vector<4xf32>) -> (f32, f32, f32, f32)
        memref.store %30#0, %arg6[%18] : memref<1056xf32, #gpu.address_space<workgroup>>
        memref.store %30#1, %arg6[%19] : memref<1056xf32, #gpu.address_space<workgroup>>
        memref.store %30#2, %arg6[%20] : memref<1056xf32, #gpu.address_space<workgroup>>
        memref.store %30#3, %arg6[%21] : memref<1056xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %22 = arith.addi %7, %4 : index
      %23 = arith.addi %8, %6 : index
      %24 = arith.cmpi slt, %22, %arg3 : index
      %25 = arith.cmpi slt, %23, %arg4 : index
      %26 = arith.andi %24, %25 : i1
      scf.if %26 {
        %27 = arith.muli %5, %c132 : index
        %28 = arith.addi %27, %4 : index
        %29 = memref.load %arg6[%28] : memref<1056xf32, #gpu.address_space<workgroup>>
        %30 = arith.muli %14, %c33 : index
        %31 = arith.addi %30, %4 : index
        %32 = memref.load %arg6[%31] : memref<1056xf32, #gpu.address_space<workgroup>>
        %33 = arith.muli %15, %c33 : index
        %34 = arith.addi %33, %4 : index
        %35 = memref.load %arg6[%34] : memref<1056xf32, #gpu.address_space<workgroup>>
        %36 = arith.muli %16, %c33 : index
        %37 = arith.addi %36, %4 : index
        %38 = memref.load %arg6[%37] : memref<1056xf32, #gpu.address_space<workgroup>>
        %39 = arith.muli %22, %arg4 : index
        %40 = arith.addi %39, %23 : index
        %41 = "vector.from_elements"(%29, %32, %35, %38) : (f32, f32, f32, f32) -> vector<4xf32>
        vector.store %41, %arg2[%40] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      }
      gpu.return
    }
    gpu.func @main_segmap_transposed_2(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index, %arg5: index) workgroup(%arg6: memref<1056xf32, #gpu.address_space<workgroup>>) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, Permute([1,0], FoldLast2(Permute([2,0,1], Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap_transposed at level thread over a.0 x a.1"} {
      %0 = arith.index_cast %arg1 : index to i32
      %1 = arith.index_cast %arg4 : index to i32
      %2 = arith.index_cast %arg3 : index to i32
      %3 = arith.index_cast %arg5 : index to i32
      %c32_i32 = arith.constant 32 : i32
      %c8_i32 = arith.constant 8 : i32
      %c33_i32 = arith.constant 33 : i32
      %4 = gpu.block_id x
      %5 = arith.index_cast %4 : index to i32
      %6 = gpu.thread_id x
      %7 = arith.index_cast %6 : index to i32
      %8 = arith.divui %5, %3 : i32
      %9 = arith.remui %5, %3 : i32
      %10 = arith.divui %7, %c32_i32 : i32
      %11 = arith.remui %7, %c32_i32 : i32
      %12 = arith.muli %8, %c32_i32 overflow<nsw, nuw> : i32
      %13 = arith.muli %9, %c32_i32 overflow<nsw, nuw> : i32
      scf.for %arg7 = %10 to %c32_i32 step %c8_i32 : i32 {
        %14 = arith.addi %12, %11 overflow<nsw, nuw> : i32
        %15 = arith.addi %13, %arg7 overflow<nsw, nuw> : i32
        %16 = arith.cmpi slt, %14, %2 : i32
        %17 = arith.cmpi slt, %15, %1 : i32
        %18 = arith.andi %16, %17 : i1
        %19 = arith.muli %arg7, %c33_i32 overflow<nsw, nuw> : i32
        %20 = arith.addi %19, %11 overflow<nsw, nuw> : i32
        scf.if %18 {
          %21 = arith.muli %15, %0 overflow<nsw, nuw> : i32
          %22 = arith.addi %21, %14 overflow<nsw, nuw> : i32
          %23 = arith.index_castui %22 : i32 to index
          %24 = memref.load %arg0[%23] : memref<?xf32>
          %25 = arith.index_castui %20 : i32 to index
          memref.store %24, %arg6[%25] : memref<1056xf32, #gpu.address_space<workgroup>>
        }
      }
      gpu.barrier
      scf.for %arg7 = %10 to %c32_i32 step %c8_i32 : i32 {
        %14 = arith.addi %12, %arg7 overflow<nsw, nuw> : i32
        %15 = arith.addi %13, %11 overflow<nsw, nuw> : i32
        %16 = arith.cmpi slt, %14, %2 : i32
        %17 = arith.cmpi slt, %15, %1 : i32
        %18 = arith.andi %16, %17 : i1
        scf.if %18 {
          %19 = arith.muli %11, %c33_i32 overflow<nsw, nuw> : i32
          %20 = arith.addi %19, %arg7 overflow<nsw, nuw> : i32
          %21 = arith.index_castui %20 : i32 to index
          %22 = memref.load %arg6[%21] : memref<1056xf32, #gpu.address_space<workgroup>>
          %23 = arith.muli %14, %1 overflow<nsw, nuw> : i32
          %24 = arith.addi %23, %15 overflow<nsw, nuw> : i32
          %25 = arith.index_castui %24 : i32 to index
          memref.store %22, %arg2[%25] : memref<?xf32>
        }
      }
      gpu.return
    }
    gpu.func @main_segmap_transposed_2_64(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index, %arg5: index) workgroup(%arg6: memref<1056xf32, #gpu.address_space<workgroup>>) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, Permute([1,0], FoldLast2(Permute([2,0,1], Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap_transposed at level thread over a.0 x a.1"} {
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
    gpu.func @main_segmap_block_3(%arg0: index, %arg1: memref<?xf32>, %arg2: index, %arg3: index, %arg4: index, %arg5: memref<?xf32>) kernel attributes {arg_attrs = [{}, {llvm.noalias, llvm.readonly}, {}, {}, {}, {llvm.noalias}], mapping = "GridBlock(1, Gen)", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over a.0"} {
      %0 = arith.index_cast %arg2 : index to i32
      %1 = arith.index_cast %arg4 : index to i32
      %2 = arith.index_cast %arg0 : index to i32
      %c4_i32 = arith.constant 4 : i32
      %3 = gpu.block_id x
      %4 = arith.index_cast %3 : index to i32
      %5 = gpu.thread_id x
      %6 = arith.index_cast %5 : index to i32
      %7 = arith.muli %4, %2 overflow<nsw, nuw> : i32
      %8 = arith.muli %1, %c4_i32 overflow<nsw, nuw> : i32
      %9 = arith.remui %2, %8 : i32
      %10 = arith.subi %2, %9 overflow<nsw> : i32
      scf.for %arg6 = %6 to %10 step %8 : i32 {
        %12 = arith.muli %4, %0 overflow<nsw, nuw> : i32
        %13 = arith.addi %12, %arg6 overflow<nsw, nuw> : i32
        %14 = arith.index_castui %13 : i32 to index
        %15 = memref.load %arg1[%14] : memref<?xf32>
        %y = arith.mulf %15, %15 : f32
        %16 = arith.addi %7, %arg6 overflow<nsw, nuw> : i32
        %17 = arith.index_castui %16 : i32 to index
        memref.store %y, %arg5[%17] : memref<?xf32>
        %18 = arith.addi %arg6, %1 overflow<nsw, nuw> : i32
        %19 = arith.addi %12, %18 overflow<nsw, nuw> : i32
        %20 = arith.index_castui %19 : i32 to index
        %21 = memref.load %arg1[%20] : memref<?xf32>
        %y_0 = arith.mulf %21, %21 : f32
        %22 = arith.addi %7, %18 overflow<nsw, nuw> : i32
        %23 = arith.index_castui %22 : i32 to index
        memref.store %y_0, %arg5[%23] : memref<?xf32>
        %24 = arith.addi %18, %1 overflow<nsw, nuw> : i32
        %25 = arith.addi %12, %24 overflow<nsw, nuw> : i32
        %26 = arith.index_castui %25 : i32 to index
        %27 = memref.load %arg1[%26] : memref<?xf32>
        %y_1 = arith.mulf %27, %27 : f32
        %28 = arith.addi %7, %24 overflow<nsw, nuw> : i32
        %29 = arith.index_castui %28 : i32 to index
        memref.store %y_1, %arg5[%29] : memref<?xf32>
        %30 = arith.addi %24, %1 overflow<nsw, nuw> : i32
        %31 = arith.addi %12, %30 overflow<nsw, nuw> : i32
        %32 = arith.index_castui %31 : i32 to index
        %33 = memref.load %arg1[%32] : memref<?xf32>
        %y_2 = arith.mulf %33, %33 : f32
        %34 = arith.addi %7, %30 overflow<nsw, nuw> : i32
        %35 = arith.index_castui %34 : i32 to index
        memref.store %y_2, %arg5[%35] : memref<?xf32>
      }
      %11 = arith.addi %10, %6 overflow<nsw> : i32
      scf.for %arg6 = %11 to %2 step %1 : i32 {
        %12 = arith.muli %4, %0 overflow<nsw, nuw> : i32
        %13 = arith.addi %12, %arg6 overflow<nsw> : i32
        %14 = arith.index_castui %13 : i32 to index
        %15 = memref.load %arg1[%14] : memref<?xf32>
        %y = arith.mulf %15, %15 : f32
        %16 = arith.addi %7, %arg6 overflow<nsw> : i32
        %17 = arith.index_castui %16 : i32 to index
        memref.store %y, %arg5[%17] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segmap_block_3_64(%arg0: index, %arg1: memref<?xf32>, %arg2: index, %arg3: index, %arg4: index, %arg5: memref<?xf32>) kernel attributes {arg_attrs = [{}, {llvm.noalias, llvm.readonly}, {}, {}, {}, {llvm.noalias}], mapping = "GridBlock(1, Gen)", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over a.0"} {
      %c4 = arith.constant 4 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %arg0 : index
      %3 = arith.muli %arg4, %c4 : index
      %4 = arith.remui %arg0, %3 : index
      %5 = arith.subi %arg0, %4 : index
      scf.for %arg6 = %1 to %5 step %3 {
        %7 = arith.muli %0, %arg2 : index
        %8 = arith.addi %7, %arg6 : index
        %9 = memref.load %arg1[%8] : memref<?xf32>
        %y = arith.mulf %9, %9 : f32
        %10 = arith.addi %2, %arg6 : index
        memref.store %y, %arg5[%10] : memref<?xf32>
        %11 = arith.addi %arg6, %arg4 : index
        %12 = arith.addi %7, %11 : index
        %13 = memref.load %arg1[%12] : memref<?xf32>
        %y_0 = arith.mulf %13, %13 : f32
        %14 = arith.addi %2, %11 : index
        memref.store %y_0, %arg5[%14] : memref<?xf32>
        %15 = arith.addi %11, %arg4 : index
        %16 = arith.addi %7, %15 : index
        %17 = memref.load %arg1[%16] : memref<?xf32>
        %y_1 = arith.mulf %17, %17 : f32
        %18 = arith.addi %2, %15 : index
        memref.store %y_1, %arg5[%18] : memref<?xf32>
        %19 = arith.addi %15, %arg4 : index
        %20 = arith.addi %7, %19 : index
        %21 = memref.load %arg1[%20] : memref<?xf32>
        %y_2 = arith.mulf %21, %21 : f32
        %22 = arith.addi %2, %19 : index
        memref.store %y_2, %arg5[%22] : memref<?xf32>
      }
      %6 = arith.addi %5, %1 : index
      scf.for %arg6 = %6 to %arg0 step %arg4 {
        %7 = arith.muli %0, %arg2 : index
        %8 = arith.addi %7, %arg6 : index
        %9 = memref.load %arg1[%8] : memref<?xf32>
        %y = arith.mulf %9, %9 : f32
        %10 = arith.addi %2, %arg6 : index
        memref.store %y, %arg5[%10] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segmap_4(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over a.0 x a.1"} {
      %0 = arith.index_cast %arg4 : index to i32
      %1 = arith.index_cast %arg3 : index to i32
      %c256_i32 = arith.constant 256 : i32
      %c4_i32 = arith.constant 4 : i32
      %c1_i32 = arith.constant 1 : i32
      %2 = gpu.block_id x
      %3 = arith.index_cast %2 : index to i32
      %4 = gpu.thread_id x
      %5 = arith.index_cast %4 : index to i32
      %6 = arith.muli %3, %c256_i32 overflow<nsw, nuw> : i32
      %7 = arith.addi %6, %5 overflow<nsw, nuw> : i32
      %8 = arith.cmpi slt, %7, %1 : i32
      scf.if %8 {
        %9 = arith.muli %7, %c4_i32 overflow<nsw, nuw> : i32
        %10 = arith.addi %9, %c4_i32 overflow<nsw, nuw> : i32
        %11 = arith.cmpi sle, %10, %0 : i32
        scf.if %11 {
          %12 = arith.index_castui %9 : i32 to index
          %13 = vector.load %arg0[%12] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %14:4 = "vector.to_elements"(%13) : (vector<4xf32>) -> (f32, f32, f32, f32)
          %y = arith.mulf %14#0, %14#0 : f32
          %y_0 = arith.mulf %14#1, %14#1 : f32
          %y_1 = arith.mulf %14#2, %14#2 : f32
          %y_2 = arith.mulf %14#3, %14#3 : f32
          %15 = "vector.from_elements"(%y, %y_0, %y_1, %y_2) : (f32, f32, f32, f32) -> vector<4xf32>
          vector.store %15, %arg2[%12] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %12 = arith.minsi %10, %0 : i32
          scf.for %arg5 = %9 to %12 step %c1_i32 : i32 {
            %13 = arith.index_castui %arg5 : i32 to index
            %14 = memref.load %arg0[%13] : memref<?xf32>
            %y = arith.mulf %14, %14 : f32
            memref.store %y, %arg2[%13] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
    gpu.func @main_segmap_4_64(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over a.0 x a.1"} {
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
  func.func @main(%a: memref<?x?xf32> {array.sizes = ["n", "m"]}) -> (memref<?x?xf32> {array.sizes = ["n", "m"]}) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %c3 = arith.constant 3 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
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
      %11 = arith.muli %8, %c256 : index
      %12 = arith.addi %11, %c256 : index
      %13 = arith.addi %1, %c1 : index
      %14 = arith.muli %12, %1 : index
      %15 = arith.addi %14, %1 : index
      %16 = arith.addi %12, %5 : index
      %17 = memref.dim %6, %c0 : memref<?xf32>
      %18 = memref.dim %10, %c0 : memref<?xf32>
      %19 = arith.maxui %8, %11 : index
      %20 = arith.maxui %19, %12 : index
      %21 = arith.maxui %20, %0 : index
      %22 = arith.maxui %21, %1 : index
      %23 = arith.maxui %22, %13 : index
      %24 = arith.maxui %23, %14 : index
      %25 = arith.maxui %24, %15 : index
      %26 = arith.maxui %25, %5 : index
      %27 = arith.maxui %26, %16 : index
      %28 = arith.maxui %27, %17 : index
      %29 = arith.maxui %28, %18 : index
      %30 = arith.cmpi ule, %29, %c2147483647 : index
      scf.if %30 {
        gpu.launch_func @kernels::@main_segmap_0 blocks in (%8, %c1, %c1) threads in (%c256, %c1, %c1) args(%1 : index, %c0 : index, %c1 : index, %6 : memref<?xf32>, %1 : index, %0 : index, %10 : memref<?xf32>)
      } else {
        gpu.launch_func @kernels::@main_segmap_0_64 blocks in (%8, %c1, %c1) threads in (%c256, %c1, %c1) args(%1 : index, %c0 : index, %c1 : index, %6 : memref<?xf32>, %1 : index, %0 : index, %10 : memref<?xf32>)
      }
      %31 = memref.reinterpret_cast %10 to offset: [0], sizes: [%1, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32>
      %32 = gpu.alloc (%5) : memref<?xf32>
      %33 = memref.dim %31, %c1 : memref<?x?xf32>
      %34 = arith.ori %0, %1 : index
      %35 = arith.ori %34, %33 : index
      %36 = arith.andi %35, %c3 : index
      %37 = arith.cmpi sle, %36, %c0 : index
      scf.if %37 {
        %39 = arith.addi %0, %c31 : index
        %40 = arith.divui %39, %c32 : index
        %41 = arith.addi %1, %c31 : index
        %42 = arith.divui %41, %c32 : index
        %43 = memref.dim %31, %c0 : memref<?x?xf32>
        %44 = arith.muli %43, %33 : index
        %45 = memref.reinterpret_cast %10 to offset: [0], sizes: [%44], strides: [1] : memref<?xf32> to memref<?xf32>
        %46 = arith.muli %40, %42 : index
        %47 = arith.cmpi sle, %46, %c2147483647 : index
        cf.assert %47, "the launch is larger than the hardware allows"
        %48 = arith.maxsi %42, %c1 : index
        %49 = arith.divui %46, %48 : index
        %50 = arith.muli %49, %c32 : index
        %51 = arith.addi %50, %c32 : index
        %52 = arith.minsi %46, %42 : index
        %53 = arith.muli %52, %c32 : index
        %54 = arith.addi %53, %c32 : index
        %55 = arith.muli %54, %33 : index
        %56 = arith.addi %55, %51 : index
        %57 = arith.muli %51, %1 : index
        %58 = arith.addi %57, %54 : index
        %59 = memref.dim %45, %c0 : memref<?xf32>
        %60 = memref.dim %32, %c0 : memref<?xf32>
        %61 = arith.maxui %46, %42 : index
        %62 = arith.maxui %61, %49 : index
        %63 = arith.maxui %62, %50 : index
        %64 = arith.maxui %63, %51 : index
        %65 = arith.maxui %64, %0 : index
        %66 = arith.maxui %65, %52 : index
        %67 = arith.maxui %66, %53 : index
        %68 = arith.maxui %67, %54 : index
        %69 = arith.maxui %68, %1 : index
        %70 = arith.maxui %69, %33 : index
        %71 = arith.maxui %70, %55 : index
        %72 = arith.maxui %71, %56 : index
        %73 = arith.maxui %72, %57 : index
        %74 = arith.maxui %73, %58 : index
        %75 = arith.maxui %74, %59 : index
        %76 = arith.maxui %75, %60 : index
        %77 = arith.cmpi ule, %76, %c2147483647 : index
        scf.if %77 {
          gpu.launch_func @kernels::@main_segmap_transposed_1 blocks in (%46, %c1, %c1) threads in (%c256, %c1, %c1) args(%45 : memref<?xf32>, %33 : index, %32 : memref<?xf32>, %0 : index, %1 : index, %42 : index)
        } else {
          gpu.launch_func @kernels::@main_segmap_transposed_1_64 blocks in (%46, %c1, %c1) threads in (%c256, %c1, %c1) args(%45 : memref<?xf32>, %33 : index, %32 : memref<?xf32>, %0 : index, %1 : index, %42 : index)
        }
      } else {
        %39 = arith.addi %0, %c31 : index
        %40 = arith.divui %39, %c32 : index
        %41 = arith.addi %1, %c31 : index
        %42 = arith.divui %41, %c32 : index
        %43 = memref.dim %31, %c0 : memref<?x?xf32>
        %44 = arith.muli %43, %33 : index
        %45 = memref.reinterpret_cast %10 to offset: [0], sizes: [%44], strides: [1] : memref<?xf32> to memref<?xf32>
        %46 = arith.muli %40, %42 : index
        %47 = arith.cmpi sle, %46, %c2147483647 : index
        cf.assert %47, "the launch is larger than the hardware allows"
        %48 = arith.maxsi %42, %c1 : index
        %49 = arith.divui %46, %48 : index
        %50 = arith.muli %49, %c32 : index
        %51 = arith.addi %50, %c32 : index
        %52 = arith.minsi %46, %42 : index
        %53 = arith.muli %52, %c32 : index
        %54 = arith.addi %53, %c32 : index
        %55 = arith.muli %54, %33 : index
        %56 = arith.addi %55, %51 : index
        %57 = arith.muli %51, %1 : index
        %58 = arith.addi %57, %54 : index
        %59 = memref.dim %45, %c0 : memref<?xf32>
        %60 = memref.dim %32, %c0 : memref<?xf32>
        %61 = arith.maxui %46, %42 : index
        %62 = arith.maxui %61, %49 : index
        %63 = arith.maxui %62, %50 : index
        %64 = arith.maxui %63, %51 : index
        %65 = arith.maxui %64, %0 : index
        %66 = arith.maxui %65, %52 : index
        %67 = arith.maxui %66, %53 : index
        %68 = arith.maxui %67, %54 : index
        %69 = arith.maxui %68, %1 : index
        %70 = arith.maxui %69, %33 : index
        %71 = arith.maxui %70, %55 : index
        %72 = arith.maxui %71, %56 : index
        %73 = arith.maxui %72, %57 : index
        %74 = arith.maxui %73, %58 : index
        %75 = arith.maxui %74, %59 : index
        %76 = arith.maxui %75, %60 : index
        %77 = arith.cmpi ule, %76, %c2147483647 : index
        scf.if %77 {
          gpu.launch_func @kernels::@main_segmap_transposed_2 blocks in (%46, %c1, %c1) threads in (%c256, %c1, %c1) args(%45 : memref<?xf32>, %33 : index, %32 : memref<?xf32>, %0 : index, %1 : index, %42 : index)
        } else {
          gpu.launch_func @kernels::@main_segmap_transposed_2_64 blocks in (%46, %c1, %c1) threads in (%c256, %c1, %c1) args(%45 : memref<?xf32>, %33 : index, %32 : memref<?xf32>, %0 : index, %1 : index, %42 : index)
        }
      }
      gpu.dealloc %10 : memref<?xf32>
      %38 = memref.reinterpret_cast %32 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
      scf.yield %38 : memref<?x?xf32>
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
        %19 = arith.muli %13, %c4 : index
        %20 = arith.minsi %1, %19 : index
        %21 = arith.maxsi %1, %20 : index
        %22 = arith.addi %21, %19 : index
        %23 = arith.maxsi %13, %21 : index
        %24 = arith.addi %14, %23 : index
        %25 = arith.addi %23, %13 : index
        %26 = arith.addi %14, %25 : index
        %27 = arith.addi %25, %13 : index
        %28 = arith.addi %14, %27 : index
        %29 = arith.addi %27, %13 : index
        %30 = arith.addi %14, %29 : index
        %31 = arith.addi %1, %13 : index
        %32 = arith.addi %21, %13 : index
        %33 = arith.maxsi %32, %1 : index
        %34 = arith.addi %14, %33 : index
        %35 = memref.dim %15, %c0 : memref<?xf32>
        %36 = memref.dim %16, %c0 : memref<?xf32>
        %37 = arith.maxui %1, %13 : index
        %38 = arith.maxui %37, %19 : index
        %39 = arith.maxui %38, %22 : index
        %40 = arith.maxui %39, %20 : index
        %41 = arith.maxui %40, %21 : index
        %42 = arith.maxui %41, %0 : index
        %43 = arith.maxui %42, %14 : index
        %44 = arith.maxui %43, %24 : index
        %45 = arith.maxui %44, %25 : index
        %46 = arith.maxui %45, %26 : index
        %47 = arith.maxui %46, %27 : index
        %48 = arith.maxui %47, %28 : index
        %49 = arith.maxui %48, %29 : index
        %50 = arith.maxui %49, %30 : index
        %51 = arith.maxui %50, %31 : index
        %52 = arith.maxui %51, %32 : index
        %53 = arith.maxui %52, %34 : index
        %54 = arith.maxui %53, %35 : index
        %55 = arith.maxui %54, %36 : index
        %56 = arith.cmpi ule, %55, %c2147483647 : index
        scf.if %56 {
          gpu.launch_func @kernels::@main_segmap_block_3 blocks in (%0, %c1, %c1) threads in (%13, %c1, %c1) args(%1 : index, %15 : memref<?xf32>, %1 : index, %0 : index, %13 : index, %16 : memref<?xf32>)
        } else {
          gpu.launch_func @kernels::@main_segmap_block_3_64 blocks in (%0, %c1, %c1) threads in (%13, %c1, %c1) args(%1 : index, %15 : memref<?xf32>, %1 : index, %0 : index, %13 : index, %16 : memref<?xf32>)
        }
        %57 = memref.reinterpret_cast %16 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
        scf.yield %57 : memref<?x?xf32>
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
        %17 = arith.muli %15, %c256 : index
        %18 = arith.addi %17, %c256 : index
        %19 = arith.muli %18, %c4 : index
        %20 = arith.addi %19, %c4 : index
        %21 = arith.minsi %20, %9 : index
        %22 = arith.addi %21, %c1 : index
        %23 = memref.dim %13, %c0 : memref<?xf32>
        %24 = memref.dim %10, %c0 : memref<?xf32>
        %25 = arith.maxui %15, %17 : index
        %26 = arith.maxui %25, %18 : index
        %27 = arith.maxui %26, %12 : index
        %28 = arith.maxui %27, %19 : index
        %29 = arith.maxui %28, %20 : index
        %30 = arith.maxui %29, %9 : index
        %31 = arith.maxui %30, %22 : index
        %32 = arith.maxui %31, %21 : index
        %33 = arith.maxui %32, %23 : index
        %34 = arith.maxui %33, %24 : index
        %35 = arith.cmpi ule, %34, %c2147483647 : index
        scf.if %35 {
          gpu.launch_func @kernels::@main_segmap_4 blocks in (%15, %c1, %c1) threads in (%c256, %c1, %c1) args(%13 : memref<?xf32>, %1 : index, %10 : memref<?xf32>, %12 : index, %9 : index)
        } else {
          gpu.launch_func @kernels::@main_segmap_4_64 blocks in (%15, %c1, %c1) threads in (%c256, %c1, %c1) args(%13 : memref<?xf32>, %1 : index, %10 : memref<?xf32>, %12 : index, %9 : index)
        }
        %36 = memref.reinterpret_cast %10 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
        scf.yield %36 : memref<?x?xf32>
      }
      scf.yield %8 : memref<?x?xf32>
    }
    %4 = memref.reinterpret_cast %3 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?x?xf32> to memref<?x?xf32>
    func.return %4 : memref<?x?xf32>
  }
}
