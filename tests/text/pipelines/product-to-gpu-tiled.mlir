// pass: builtin.module(array-to-gpu-tiled)
// Products of rows: both copies have neighbours along the row; the second is read down a column, so its rows lie 33 apart.
func.func @main(%xss: !array.array<[n][k]i32>, %yss: !array.array<[m][k]i32>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %zss = array.map (%xs in %xss : [n][k]i32) {
    %zs = array.map (%ys in %yss : [m][k]i32) {
      %z = array.redomap (%x in %xs : [k]i32, %y in %ys : [k]i32) init (%zero : i32) map {
        %p = arith.muli %x, %y : i32
        array.yield %p : i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        array.yield %s : i32
      }
      array.yield %z : i32
    }
    array.yield %zs : !array.array<[m]i32>
  }
  func.return %zss : !array.array<[n][m]i32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_block_0(%arg0: index, %arg1: index, %arg2: memref<?xi32>, %arg3: index, %arg4: index, %arg5: memref<?xi32>, %arg6: index, %arg7: index, %arg8: index, %arg9: memref<?xi32>, %arg10: index, %arg11: index) kernel attributes {arg_attrs = [{}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, FoldLast2(ShiftLB(Gen)))", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over ceildiv(n, 16) x ceildiv(m, 16)"} {
      %0 = arith.index_cast %arg11 : index to i32
      %1 = arith.index_cast %arg10 : index to i32
      %2 = arith.index_cast %arg6 : index to i32
      %3 = arith.index_cast %arg4 : index to i32
      %4 = arith.index_cast %arg3 : index to i32
      %5 = arith.index_cast %arg1 : index to i32
      %6 = arith.index_cast %arg7 : index to i32
      %7 = arith.index_cast %arg0 : index to i32
      %c576 = arith.constant 576 : index
      %c2304 = arith.constant 2304 : index
      %c0 = arith.constant 0 : index
      %c0_i32 = arith.constant 0 : i32
      %c31_i32 = arith.constant 31 : i32
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c16_i32 = arith.constant 16 : i32
      %c2_i32 = arith.constant 2 : i32
      %c256_i32 = arith.constant 256 : i32
      %c36_i32 = arith.constant 36 : i32
      %c4_i32 = arith.constant 4 : i32
      %c33_i32 = arith.constant 33 : i32
      %8 = gpu.shared_array %c2304, %c576 : memref<?xi32, #gpu.address_space<workgroup>>
      %9 = gpu.shared_array %c0, %c576 : memref<?xi32, #gpu.address_space<workgroup>>
      %10 = gpu.block_id x
      %11 = arith.index_cast %10 : index to i32
      %12 = gpu.thread_id x
      %13 = arith.index_cast %12 : index to i32
      %14 = arith.divui %11, %6 : i32
      %15 = arith.remui %11, %6 : i32
      %16 = arith.divui %13, %c16_i32 : i32
      %17 = arith.remui %13, %c16_i32 : i32
      %18 = arith.maxsi %7, %c0_i32 : i32
      %19 = arith.divui %18, %c32_i32 : i32
      %20 = scf.for %arg12 = %c0_i32 to %19 step %c1_i32 iter_args(%arg13 = %c0_i32) -> (i32) : i32 {
        gpu.barrier
        scf.for %arg14 = %c0_i32 to %c2_i32 step %c1_i32 : i32 {
          %35 = arith.muli %arg14, %c256_i32 overflow<nsw, nuw> : i32
          %36 = arith.addi %35, %13 overflow<nsw, nuw> : i32
          %37 = arith.divui %36, %c32_i32 : i32
          %38 = arith.remui %36, %c32_i32 : i32
          %39 = arith.muli %15, %c16_i32 overflow<nsw, nuw> : i32
          %40 = arith.addi %39, %37 overflow<nsw, nuw> : i32
          %41 = arith.minsi %40, %5 : i32
          %42 = arith.muli %arg12, %c32_i32 overflow<nsw, nuw> : i32
          %43 = arith.addi %42, %38 overflow<nsw, nuw> : i32
          %44 = arith.muli %41, %4 overflow<nsw, nuw> : i32
          %45 = arith.addi %44, %43 overflow<nsw, nuw> : i32
          %46 = arith.index_castui %45 : i32 to index
          %47 = memref.load %arg2[%46] : memref<?xi32>
          %48 = arith.muli %37, %c36_i32 overflow<nsw, nuw> : i32
          %49 = arith.addi %48, %38 overflow<nsw, nuw> : i32
          %50 = arith.index_castui %49 : i32 to index
          memref.store %47, %9[%50] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        scf.for %arg14 = %c0_i32 to %c2_i32 step %c1_i32 : i32 {
          %35 = arith.muli %arg14, %c256_i32 overflow<nsw, nuw> : i32
          %36 = arith.addi %35, %13 overflow<nsw, nuw> : i32
          %37 = arith.divui %36, %c32_i32 : i32
          %38 = arith.remui %36, %c32_i32 : i32
          %39 = arith.muli %14, %c16_i32 overflow<nsw, nuw> : i32
          %40 = arith.addi %39, %37 overflow<nsw, nuw> : i32
          %41 = arith.minsi %40, %3 : i32
          %42 = arith.muli %arg12, %c32_i32 overflow<nsw, nuw> : i32
          %43 = arith.addi %42, %38 overflow<nsw, nuw> : i32
          %44 = arith.muli %41, %2 overflow<nsw, nuw> : i32
          %45 = arith.addi %44, %43 overflow<nsw, nuw> : i32
          %46 = arith.index_castui %45 : i32 to index
          %47 = memref.load %arg5[%46] : memref<?xi32>
          %48 = arith.muli %37, %c36_i32 overflow<nsw, nuw> : i32
          %49 = arith.addi %48, %38 overflow<nsw, nuw> : i32
          %50 = arith.index_castui %49 : i32 to index
          memref.store %47, %8[%50] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %34 = scf.for %arg14 = %c0_i32 to %c32_i32 step %c4_i32 iter_args(%arg15 = %arg13) -> (i32) : i32 {
          %35 = arith.muli %16, %c36_i32 overflow<nsw, nuw> : i32
          %36 = arith.addi %35, %arg14 overflow<nsw, nuw> : i32
          %37 = arith.index_castui %36 : i32 to index
          %38 = vector.load %8[%37] {alignment = 16 : i64} : memref<?xi32, #gpu.address_space<workgroup>>, vector<4xi32>
          %39:4 = vector.to_elements %38 : vector<4xi32>
          %40 = arith.muli %17, %c36_i32 overflow<nsw, nuw> : i32
          %41 = arith.addi %40, %arg14 overflow<nsw, nuw> : i32
          %42 = arith.index_castui %41 : i32 to index
          %43 = vector.load %9[%42] {alignment = 16 : i64} : memref<?xi32, #gpu.address_space<workgroup>>, vector<4xi32>
          %44:4 = vector.to_elements %43 : vector<4xi32>
          %b = arith.muli %39#0, %44#0 : i32
          %s = arith.addi %arg15, %b : i32
          %b_0 = arith.muli %39#1, %44#1 : i32
          %s_1 = arith.addi %s, %b_0 : i32
          %b_2 = arith.muli %39#2, %44#2 : i32
          %s_3 = arith.addi %s_1, %b_2 : i32
          %b_4 = arith.muli %39#3, %44#3 : i32
          %s_5 = arith.addi %s_3, %b_4 : i32
          scf.yield %s_5 : i32
        }
        scf.yield %34 : i32
      }
      %21 = arith.muli %19, %c32_i32 overflow<nsw, nuw> : i32
      %22 = arith.subi %18, %21 overflow<nsw> : i32
      %23 = arith.maxsi %22, %c0_i32 : i32
      %24 = arith.addi %23, %c31_i32 overflow<nsw, nuw> : i32
      %25 = arith.divui %24, %c32_i32 : i32
      %26 = scf.for %arg12 = %c0_i32 to %25 step %c1_i32 iter_args(%arg13 = %20) -> (i32) : i32 {
        gpu.barrier
        scf.for %arg14 = %c0_i32 to %c2_i32 step %c1_i32 : i32 {
          %38 = arith.muli %arg14, %c256_i32 overflow<nsw, nuw> : i32
          %39 = arith.addi %38, %13 overflow<nsw, nuw> : i32
          %40 = arith.divui %39, %c32_i32 : i32
          %41 = arith.remui %39, %c32_i32 : i32
          %42 = arith.muli %15, %c16_i32 overflow<nsw, nuw> : i32
          %43 = arith.addi %42, %40 overflow<nsw, nuw> : i32
          %44 = arith.minsi %43, %5 : i32
          %45 = arith.muli %arg12, %c32_i32 overflow<nsw, nuw> : i32
          %46 = arith.subi %22, %45 overflow<nsw> : i32
          %47 = arith.minsi %46, %c32_i32 : i32
          %48 = arith.subi %47, %c1_i32 overflow<nsw> : i32
          %49 = arith.minsi %41, %48 : i32
          %50 = arith.addi %45, %49 overflow<nsw> : i32
          %51 = arith.addi %21, %50 overflow<nsw> : i32
          %52 = arith.muli %44, %4 overflow<nsw, nuw> : i32
          %53 = arith.addi %52, %51 overflow<nsw> : i32
          %54 = arith.index_castui %53 : i32 to index
          %55 = memref.load %arg2[%54] : memref<?xi32>
          %56 = arith.muli %40, %c33_i32 overflow<nsw, nuw> : i32
          %57 = arith.addi %56, %41 overflow<nsw, nuw> : i32
          %58 = arith.index_castui %57 : i32 to index
          memref.store %55, %9[%58] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        scf.for %arg14 = %c0_i32 to %c2_i32 step %c1_i32 : i32 {
          %38 = arith.muli %arg14, %c256_i32 overflow<nsw, nuw> : i32
          %39 = arith.addi %38, %13 overflow<nsw, nuw> : i32
          %40 = arith.divui %39, %c32_i32 : i32
          %41 = arith.remui %39, %c32_i32 : i32
          %42 = arith.muli %14, %c16_i32 overflow<nsw, nuw> : i32
          %43 = arith.addi %42, %40 overflow<nsw, nuw> : i32
          %44 = arith.minsi %43, %3 : i32
          %45 = arith.muli %arg12, %c32_i32 overflow<nsw, nuw> : i32
          %46 = arith.subi %22, %45 overflow<nsw> : i32
          %47 = arith.minsi %46, %c32_i32 : i32
          %48 = arith.subi %47, %c1_i32 overflow<nsw> : i32
          %49 = arith.minsi %41, %48 : i32
          %50 = arith.addi %45, %49 overflow<nsw> : i32
          %51 = arith.addi %21, %50 overflow<nsw> : i32
          %52 = arith.muli %44, %2 overflow<nsw, nuw> : i32
          %53 = arith.addi %52, %51 overflow<nsw> : i32
          %54 = arith.index_castui %53 : i32 to index
          %55 = memref.load %arg5[%54] : memref<?xi32>
          %56 = arith.muli %40, %c33_i32 overflow<nsw, nuw> : i32
          %57 = arith.addi %56, %41 overflow<nsw, nuw> : i32
          %58 = arith.index_castui %57 : i32 to index
          memref.store %55, %8[%58] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %34 = arith.muli %arg12, %c32_i32 overflow<nsw, nuw> : i32
        %35 = arith.subi %22, %34 overflow<nsw> : i32
        %36 = arith.minsi %35, %c32_i32 : i32
        %37 = scf.for %arg14 = %c0_i32 to %36 step %c1_i32 iter_args(%arg15 = %arg13) -> (i32) : i32 {
          %38 = arith.muli %16, %c33_i32 overflow<nsw, nuw> : i32
          %39 = arith.addi %38, %arg14 overflow<nsw, nuw> : i32
          %40 = arith.index_castui %39 : i32 to index
          %41 = memref.load %8[%40] : memref<?xi32, #gpu.address_space<workgroup>>
          %42 = arith.muli %17, %c33_i32 overflow<nsw, nuw> : i32
          %43 = arith.addi %42, %arg14 overflow<nsw, nuw> : i32
          %44 = arith.index_castui %43 : i32 to index
          %45 = memref.load %9[%44] : memref<?xi32, #gpu.address_space<workgroup>>
          %b = arith.muli %41, %45 : i32
          %s = arith.addi %arg15, %b : i32
          scf.yield %s : i32
        }
        scf.yield %37 : i32
      }
      %27 = arith.muli %14, %c16_i32 overflow<nsw, nuw> : i32
      %28 = arith.addi %27, %16 overflow<nsw, nuw> : i32
      %29 = arith.cmpi slt, %28, %1 : i32
      %30 = arith.muli %15, %c16_i32 overflow<nsw, nuw> : i32
      %31 = arith.addi %30, %17 overflow<nsw, nuw> : i32
      %32 = arith.cmpi slt, %31, %0 : i32
      %33 = arith.andi %29, %32 : i1
      scf.if %33 {
        %34 = arith.muli %28, %0 overflow<nsw, nuw> : i32
        %35 = arith.addi %34, %31 overflow<nsw, nuw> : i32
        %36 = arith.index_castui %35 : i32 to index
        memref.store %26, %arg9[%36] : memref<?xi32>
      }
      gpu.return
    }
    gpu.func @main_segmap_block_0_64(%arg0: index, %arg1: index, %arg2: memref<?xi32>, %arg3: index, %arg4: index, %arg5: memref<?xi32>, %arg6: index, %arg7: index, %arg8: index, %arg9: memref<?xi32>, %arg10: index, %arg11: index) kernel attributes {arg_attrs = [{}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, FoldLast2(ShiftLB(Gen)))", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over ceildiv(n, 16) x ceildiv(m, 16)"} {
      %c576 = arith.constant 576 : index
      %c2304 = arith.constant 2304 : index
      %c0 = arith.constant 0 : index
      %c31 = arith.constant 31 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c0_i32 = arith.constant 0 : i32
      %c16 = arith.constant 16 : index
      %c2 = arith.constant 2 : index
      %c256 = arith.constant 256 : index
      %c36 = arith.constant 36 : index
      %c4 = arith.constant 4 : index
      %c33 = arith.constant 33 : index
      %0 = gpu.shared_array %c2304, %c576 : memref<?xi32, #gpu.address_space<workgroup>>
      %1 = gpu.shared_array %c0, %c576 : memref<?xi32, #gpu.address_space<workgroup>>
      %2 = gpu.block_id x
      %3 = gpu.thread_id x
      %4 = arith.divui %2, %arg7 : index
      %5 = arith.remui %2, %arg7 : index
      %6 = arith.divui %3, %c16 : index
      %7 = arith.remui %3, %c16 : index
      %8 = arith.maxsi %arg0, %c0 : index
      %9 = arith.divui %8, %c32 : index
      %10 = scf.for %arg12 = %c0 to %9 step %c1 iter_args(%arg13 = %c0_i32) -> (i32) {
        gpu.barrier
        scf.for %arg14 = %c0 to %c2 step %c1 {
          %25 = arith.muli %arg14, %c256 : index
          %26 = arith.addi %25, %3 : index
          %27 = arith.divui %26, %c32 : index
          %28 = arith.remui %26, %c32 : index
          %29 = arith.muli %5, %c16 : index
          %30 = arith.addi %29, %27 : index
          %31 = arith.minsi %30, %arg1 : index
          %32 = arith.muli %arg12, %c32 : index
          %33 = arith.addi %32, %28 : index
          %34 = arith.muli %31, %arg3 : index
          %35 = arith.addi %34, %33 : index
          %36 = memref.load %arg2[%35] : memref<?xi32>
          %37 = arith.muli %27, %c36 : index
          %38 = arith.addi %37, %28 : index
          memref.store %36, %1[%38] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        scf.for %arg14 = %c0 to %c2 step %c1 {
          %25 = arith.muli %arg14, %c256 : index
          %26 = arith.addi %25, %3 : index
          %27 = arith.divui %26, %c32 : index
          %28 = arith.remui %26, %c32 : index
          %29 = arith.muli %4, %c16 : index
          %30 = arith.addi %29, %27 : index
          %31 = arith.minsi %30, %arg4 : index
          %32 = arith.muli %arg12, %c32 : index
          %33 = arith.addi %32, %28 : index
          %34 = arith.muli %31, %arg6 : index
          %35 = arith.addi %34, %33 : index
          %36 = memref.load %arg5[%35] : memref<?xi32>
          %37 = arith.muli %27, %c36 : index
          %38 = arith.addi %37, %28 : index
          memref.store %36, %0[%38] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %24 = scf.for %arg14 = %c0 to %c32 step %c4 iter_args(%arg15 = %arg13) -> (i32) {
          %25 = arith.muli %6, %c36 : index
          %26 = arith.addi %25, %arg14 : index
          %27 = vector.load %0[%26] {alignment = 16 : i64} : memref<?xi32, #gpu.address_space<workgroup>>, vector<4xi32>
          %28:4 = vector.to_elements %27 : vector<4xi32>
          %29 = arith.muli %7, %c36 : index
          %30 = arith.addi %29, %arg14 : index
          %31 = vector.load %1[%30] {alignment = 16 : i64} : memref<?xi32, #gpu.address_space<workgroup>>, vector<4xi32>
          %32:4 = vector.to_elements %31 : vector<4xi32>
          %b = arith.muli %28#0, %32#0 : i32
          %s = arith.addi %arg15, %b : i32
          %b_0 = arith.muli %28#1, %32#1 : i32
          %s_1 = arith.addi %s, %b_0 : i32
          %b_2 = arith.muli %28#2, %32#2 : i32
          %s_3 = arith.addi %s_1, %b_2 : i32
          %b_4 = arith.muli %28#3, %32#3 : i32
          %s_5 = arith.addi %s_3, %b_4 : i32
          scf.yield %s_5 : i32
        }
        scf.yield %24 : i32
      }
      %11 = arith.muli %9, %c32 : index
      %12 = arith.subi %8, %11 : index
      %13 = arith.maxsi %12, %c0 : index
      %14 = arith.addi %13, %c31 : index
      %15 = arith.divui %14, %c32 : index
      %16 = scf.for %arg12 = %c0 to %15 step %c1 iter_args(%arg13 = %10) -> (i32) {
        gpu.barrier
        scf.for %arg14 = %c0 to %c2 step %c1 {
          %28 = arith.muli %arg14, %c256 : index
          %29 = arith.addi %28, %3 : index
          %30 = arith.divui %29, %c32 : index
          %31 = arith.remui %29, %c32 : index
          %32 = arith.muli %5, %c16 : index
          %33 = arith.addi %32, %30 : index
          %34 = arith.minsi %33, %arg1 : index
          %35 = arith.muli %arg12, %c32 : index
          %36 = arith.subi %12, %35 : index
          %37 = arith.minsi %36, %c32 : index
          %38 = arith.subi %37, %c1 : index
          %39 = arith.minsi %31, %38 : index
          %40 = arith.addi %35, %39 : index
          %41 = arith.addi %11, %40 : index
          %42 = arith.muli %34, %arg3 : index
          %43 = arith.addi %42, %41 : index
          %44 = memref.load %arg2[%43] : memref<?xi32>
          %45 = arith.muli %30, %c33 : index
          %46 = arith.addi %45, %31 : index
          memref.store %44, %1[%46] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        scf.for %arg14 = %c0 to %c2 step %c1 {
          %28 = arith.muli %arg14, %c256 : index
          %29 = arith.addi %28, %3 : index
          %30 = arith.divui %29, %c32 : index
          %31 = arith.remui %29, %c32 : index
          %32 = arith.muli %4, %c16 : index
          %33 = arith.addi %32, %30 : index
          %34 = arith.minsi %33, %arg4 : index
          %35 = arith.muli %arg12, %c32 : index
          %36 = arith.subi %12, %35 : index
          %37 = arith.minsi %36, %c32 : index
          %38 = arith.subi %37, %c1 : index
          %39 = arith.minsi %31, %38 : index
          %40 = arith.addi %35, %39 : index
          %41 = arith.addi %11, %40 : index
          %42 = arith.muli %34, %arg6 : index
          %43 = arith.addi %42, %41 : index
          %44 = memref.load %arg5[%43] : memref<?xi32>
          %45 = arith.muli %30, %c33 : index
          %46 = arith.addi %45, %31 : index
          memref.store %44, %0[%46] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %24 = arith.muli %arg12, %c32 : index
        %25 = arith.subi %12, %24 : index
        %26 = arith.minsi %25, %c32 : index
        %27 = scf.for %arg14 = %c0 to %26 step %c1 iter_args(%arg15 = %arg13) -> (i32) {
          %28 = arith.muli %6, %c33 : index
          %29 = arith.addi %28, %arg14 : index
          %30 = memref.load %0[%29] : memref<?xi32, #gpu.address_space<workgroup>>
          %31 = arith.muli %7, %c33 : index
          %32 = arith.addi %31, %arg14 : index
          %33 = memref.load %1[%32] : memref<?xi32, #gpu.address_space<workgroup>>
          %b = arith.muli %30, %33 : i32
          %s = arith.addi %arg15, %b : i32
          scf.yield %s : i32
        }
        scf.yield %27 : i32
      }
      %17 = arith.muli %4, %c16 : index
      %18 = arith.addi %17, %6 : index
      %19 = arith.cmpi slt, %18, %arg10 : index
      %20 = arith.muli %5, %c16 : index
      %21 = arith.addi %20, %7 : index
      %22 = arith.cmpi slt, %21, %arg11 : index
      %23 = arith.andi %19, %22 : i1
      scf.if %23 {
        %24 = arith.muli %18, %arg11 : index
        %25 = arith.addi %24, %21 : index
        memref.store %16, %arg9[%25] : memref<?xi32>
      }
      gpu.return
    }
  }
  func.func @main(%xss: memref<?x?xi32> {array.sizes = ["n", "k"]}, %yss: memref<?x?xi32> {array.sizes = ["m", "k"]}) -> (memref<?x?xi32> {array.sizes = ["n", "m"]}) {
    %c1 = arith.constant 1 : index
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %c2147483647 = arith.constant 2147483647 : index
    %c256 = arith.constant 256 : index
    %c4608_i32 = arith.constant 4608 : i32
    %0 = memref.dim %xss, %c0 : memref<?x?xi32>
    %1 = memref.dim %xss, %c1 : memref<?x?xi32>
    %2 = memref.dim %yss, %c0 : memref<?x?xi32>
    %3 = memref.dim %yss, %c1 : memref<?x?xi32>
    %4 = arith.cmpi eq, %1, %3 : index
    cf.assert %4, "size `k`: dimension 1 of parameter #1 differs from dimension 1 of parameter #0"
    %5 = arith.addi %0, %c15 : index
    %6 = arith.divui %5, %c16 : index
    %7 = arith.subi %0, %c1 : index
    %8 = arith.addi %2, %c15 : index
    %9 = arith.divui %8, %c16 : index
    %10 = arith.subi %2, %c1 : index
    %11 = arith.muli %2, %1 : index
    %12 = memref.reinterpret_cast %yss to offset: [0], sizes: [%11], strides: [1] : memref<?x?xi32> to memref<?xi32>
    %13 = arith.muli %0, %1 : index
    %14 = memref.reinterpret_cast %xss to offset: [0], sizes: [%13], strides: [1] : memref<?x?xi32> to memref<?xi32>
    %15 = arith.muli %0, %2 : index
    %16 = gpu.alloc (%15) : memref<?xi32>
    %17 = arith.muli %6, %9 : index
    %18 = arith.cmpi sle, %17, %c2147483647 : index
    %19 = arith.subi %17, %c2147483647 : index
    %20 = check.require %18, %17 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%17, %19 : index, index)
    %21 = arith.maxsi %1, %c0 : index
    %c32 = arith.constant 32 : index
    %22 = arith.divui %21, %c32 : index
    %23 = arith.addi %22, %c1 : index
    %24 = arith.minsi %17, %9 : index
    %25 = arith.muli %24, %c16 : index
    %c24 = arith.constant 24 : index
    %26 = arith.addi %25, %c24 : index
    %27 = arith.minsi %26, %10 : index
    %28 = arith.muli %27, %1 : index
    %29 = arith.muli %22, %c32 : index
    %30 = arith.addi %29, %c32 : index
    %31 = arith.addi %28, %30 : index
    %32 = arith.maxsi %9, %c1 : index
    %33 = arith.divui %17, %32 : index
    %34 = arith.muli %33, %c16 : index
    %35 = arith.addi %34, %c24 : index
    %36 = arith.minsi %35, %7 : index
    %37 = arith.muli %36, %1 : index
    %38 = arith.addi %37, %30 : index
    %39 = arith.maxsi %21, %29 : index
    %40 = arith.maxsi %39, %c0 : index
    %c31 = arith.constant 31 : index
    %41 = arith.addi %40, %c31 : index
    %42 = arith.divui %41, %c32 : index
    %43 = arith.addi %42, %c1 : index
    %44 = arith.muli %42, %c32 : index
    %45 = arith.addi %39, %44 : index
    %46 = arith.maxsi %45, %c32 : index
    %47 = arith.addi %46, %c1 : index
    %48 = arith.maxsi %c32, %47 : index
    %49 = arith.addi %44, %48 : index
    %50 = arith.addi %29, %49 : index
    %51 = arith.addi %28, %50 : index
    %52 = arith.addi %37, %50 : index
    %c528 = arith.constant 528 : index
    %53 = arith.maxsi %c0, %46 : index
    %54 = arith.addi %c528, %53 : index
    %55 = arith.addi %34, %c16 : index
    %56 = arith.addi %25, %c16 : index
    %57 = arith.muli %55, %2 : index
    %58 = arith.addi %57, %56 : index
    %59 = arith.maxui %1, %23 : index
    %60 = arith.maxui %59, %21 : index
    %61 = arith.maxui %60, %22 : index
    %62 = arith.maxui %61, %17 : index
    %63 = arith.maxui %62, %9 : index
    %64 = arith.maxui %63, %24 : index
    %65 = arith.maxui %64, %25 : index
    %66 = arith.maxui %65, %26 : index
    %67 = arith.maxui %66, %10 : index
    %68 = arith.maxui %67, %27 : index
    %69 = arith.maxui %68, %28 : index
    %70 = arith.maxui %69, %29 : index
    %71 = arith.maxui %70, %30 : index
    %72 = arith.maxui %71, %31 : index
    %73 = arith.maxui %72, %33 : index
    %74 = arith.maxui %73, %34 : index
    %75 = arith.maxui %74, %35 : index
    %76 = arith.maxui %75, %7 : index
    %77 = arith.maxui %76, %36 : index
    %78 = arith.maxui %77, %37 : index
    %79 = arith.maxui %78, %38 : index
    %80 = arith.maxui %79, %43 : index
    %81 = arith.maxui %80, %39 : index
    %82 = arith.maxui %81, %40 : index
    %83 = arith.maxui %82, %41 : index
    %84 = arith.maxui %83, %42 : index
    %85 = arith.maxui %84, %44 : index
    %86 = arith.maxui %85, %45 : index
    %87 = arith.maxui %86, %46 : index
    %88 = arith.maxui %87, %47 : index
    %89 = arith.maxui %88, %48 : index
    %90 = arith.maxui %89, %49 : index
    %91 = arith.maxui %90, %50 : index
    %92 = arith.maxui %91, %51 : index
    %93 = arith.maxui %92, %52 : index
    %94 = arith.maxui %93, %54 : index
    %95 = arith.maxui %94, %55 : index
    %96 = arith.maxui %95, %0 : index
    %97 = arith.maxui %96, %56 : index
    %98 = arith.maxui %97, %2 : index
    %99 = arith.maxui %98, %57 : index
    %100 = arith.maxui %99, %58 : index
    %101 = arith.maxui %100, %11 : index
    %102 = arith.maxui %101, %13 : index
    %103 = arith.maxui %102, %15 : index
    %104 = arith.cmpi ule, %103, %c2147483647 : index
    scf.if %104 {
      gpu.launch_func @kernels::@main_segmap_block_0 blocks in (%17, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %c4608_i32 args(%1 : index, %10 : index, %12 : memref<?xi32>, %1 : index, %7 : index, %14 : memref<?xi32>, %1 : index, %9 : index, %6 : index, %16 : memref<?xi32>, %0 : index, %2 : index)
    } else {
      gpu.launch_func @kernels::@main_segmap_block_0_64 blocks in (%17, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %c4608_i32 args(%1 : index, %10 : index, %12 : memref<?xi32>, %1 : index, %7 : index, %14 : memref<?xi32>, %1 : index, %9 : index, %6 : index, %16 : memref<?xi32>, %0 : index, %2 : index)
    }
    %105 = memref.reinterpret_cast %16 to offset: [0], sizes: [%0, %2], strides: [%2, 1] : memref<?xi32> to memref<?x?xi32>
    func.return %105 : memref<?x?xi32>
  }
}
