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
    gpu.func @main_segmap_block_0(%arg0: index, %arg1: index, %arg2: memref<?xi32>, %arg3: index, %arg4: index, %arg5: memref<?xi32>, %arg6: index, %arg7: index, %arg8: index, %arg9: memref<?xi32>, %arg10: index, %arg11: index) kernel attributes {arg_attrs = [{}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, FoldLast2(ShiftLB(Gen)))", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over ? x ?"} {
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
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c31_i32 = arith.constant 31 : i32
      %c16_i32 = arith.constant 16 : i32
      %c2_i32 = arith.constant 2 : i32
      %c256_i32 = arith.constant 256 : i32
      %c36_i32 = arith.constant 36 : i32
      %c4_i32 = arith.constant 4 : i32
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
      %19 = arith.addi %18, %c31_i32 overflow<nsw, nuw> : i32
      %20 = arith.divui %19, %c32_i32 : i32
      %21 = scf.for %arg12 = %c0_i32 to %20 step %c1_i32 iter_args(%arg13 = %c0_i32) -> (i32) : i32 {
        gpu.barrier
        scf.for %arg14 = %c0_i32 to %c2_i32 step %c1_i32 : i32 {
          %34 = arith.muli %arg14, %c256_i32 overflow<nsw, nuw> : i32
          %35 = arith.addi %34, %13 overflow<nsw, nuw> : i32
          %36 = arith.divui %35, %c32_i32 : i32
          %37 = arith.remui %35, %c32_i32 : i32
          %38 = arith.muli %15, %c16_i32 overflow<nsw, nuw> : i32
          %39 = arith.addi %38, %36 overflow<nsw, nuw> : i32
          %40 = arith.minsi %39, %5 : i32
          %41 = arith.muli %arg12, %c32_i32 overflow<nsw, nuw> : i32
          %42 = arith.subi %7, %41 overflow<nsw> : i32
          %43 = arith.minsi %42, %c32_i32 : i32
          %44 = arith.subi %43, %c1_i32 overflow<nsw> : i32
          %45 = arith.minsi %37, %44 : i32
          %46 = arith.addi %41, %45 overflow<nsw> : i32
          %47 = arith.muli %40, %4 overflow<nsw, nuw> : i32
          %48 = arith.addi %47, %46 overflow<nsw> : i32
          %49 = arith.index_castui %48 : i32 to index
          %50 = memref.load %arg2[%49] : memref<?xi32>
          %51 = arith.muli %36, %c36_i32 overflow<nsw, nuw> : i32
          %52 = arith.addi %51, %37 overflow<nsw, nuw> : i32
          %53 = arith.index_castui %52 : i32 to index
          memref.store %50, %9[%53] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        scf.for %arg14 = %c0_i32 to %c2_i32 step %c1_i32 : i32 {
          %34 = arith.muli %arg14, %c256_i32 overflow<nsw, nuw> : i32
          %35 = arith.addi %34, %13 overflow<nsw, nuw> : i32
          %36 = arith.divui %35, %c32_i32 : i32
          %37 = arith.remui %35, %c32_i32 : i32
          %38 = arith.muli %14, %c16_i32 overflow<nsw, nuw> : i32
          %39 = arith.addi %38, %36 overflow<nsw, nuw> : i32
          %40 = arith.minsi %39, %3 : i32
          %41 = arith.muli %arg12, %c32_i32 overflow<nsw, nuw> : i32
          %42 = arith.subi %7, %41 overflow<nsw> : i32
          %43 = arith.minsi %42, %c32_i32 : i32
          %44 = arith.subi %43, %c1_i32 overflow<nsw> : i32
          %45 = arith.minsi %37, %44 : i32
          %46 = arith.addi %41, %45 overflow<nsw> : i32
          %47 = arith.muli %40, %2 overflow<nsw, nuw> : i32
          %48 = arith.addi %47, %46 overflow<nsw> : i32
          %49 = arith.index_castui %48 : i32 to index
          %50 = memref.load %arg5[%49] : memref<?xi32>
          %51 = arith.muli %36, %c36_i32 overflow<nsw, nuw> : i32
          %52 = arith.addi %51, %37 overflow<nsw, nuw> : i32
          %53 = arith.index_castui %52 : i32 to index
          memref.store %50, %8[%53] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %29 = arith.muli %arg12, %c32_i32 overflow<nsw, nuw> : i32
        %30 = arith.subi %7, %29 overflow<nsw> : i32
        %31 = arith.minsi %30, %c32_i32 : i32
        %32 = arith.cmpi eq, %31, %c32_i32 : i32
        %33 = scf.if %32 -> (i32) {
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
        } else {
          %34 = scf.for %arg14 = %c0_i32 to %31 step %c1_i32 iter_args(%arg15 = %arg13) -> (i32) : i32 {
            %35 = arith.muli %16, %c36_i32 overflow<nsw, nuw> : i32
            %36 = arith.addi %35, %arg14 overflow<nsw, nuw> : i32
            %37 = arith.index_castui %36 : i32 to index
            %38 = memref.load %8[%37] : memref<?xi32, #gpu.address_space<workgroup>>
            %39 = arith.muli %17, %c36_i32 overflow<nsw, nuw> : i32
            %40 = arith.addi %39, %arg14 overflow<nsw, nuw> : i32
            %41 = arith.index_castui %40 : i32 to index
            %42 = memref.load %9[%41] : memref<?xi32, #gpu.address_space<workgroup>>
            %b = arith.muli %38, %42 : i32
            %s = arith.addi %arg15, %b : i32
            scf.yield %s : i32
          }
          scf.yield %34 : i32
        }
        scf.yield %33 : i32
      }
      %22 = arith.muli %14, %c16_i32 overflow<nsw, nuw> : i32
      %23 = arith.addi %22, %16 overflow<nsw, nuw> : i32
      %24 = arith.cmpi slt, %23, %1 : i32
      %25 = arith.muli %15, %c16_i32 overflow<nsw, nuw> : i32
      %26 = arith.addi %25, %17 overflow<nsw, nuw> : i32
      %27 = arith.cmpi slt, %26, %0 : i32
      %28 = arith.andi %24, %27 : i1
      scf.if %28 {
        %29 = arith.muli %23, %0 overflow<nsw, nuw> : i32
        %30 = arith.addi %29, %26 overflow<nsw, nuw> : i32
        %31 = arith.index_castui %30 : i32 to index
        memref.store %21, %arg9[%31] : memref<?xi32>
      }
      gpu.return
    }
    gpu.func @main_segmap_block_0_64(%arg0: index, %arg1: index, %arg2: memref<?xi32>, %arg3: index, %arg4: index, %arg5: memref<?xi32>, %arg6: index, %arg7: index, %arg8: index, %arg9: memref<?xi32>, %arg10: index, %arg11: index) kernel attributes {arg_attrs = [{}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {llvm.noalias, llvm.readonly}, {}, {}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(0, FoldLast2(ShiftLB(Gen)))", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over ? x ?"} {
      %c576 = arith.constant 576 : index
      %c2304 = arith.constant 2304 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c31 = arith.constant 31 : index
      %c0_i32 = arith.constant 0 : i32
      %c16 = arith.constant 16 : index
      %c2 = arith.constant 2 : index
      %c256 = arith.constant 256 : index
      %c36 = arith.constant 36 : index
      %c4 = arith.constant 4 : index
      %0 = gpu.shared_array %c2304, %c576 : memref<?xi32, #gpu.address_space<workgroup>>
      %1 = gpu.shared_array %c0, %c576 : memref<?xi32, #gpu.address_space<workgroup>>
      %2 = gpu.block_id x
      %3 = gpu.thread_id x
      %4 = arith.divui %2, %arg7 : index
      %5 = arith.remui %2, %arg7 : index
      %6 = arith.divui %3, %c16 : index
      %7 = arith.remui %3, %c16 : index
      %8 = arith.maxsi %arg0, %c0 : index
      %9 = arith.addi %8, %c31 : index
      %10 = arith.divui %9, %c32 : index
      %11 = scf.for %arg12 = %c0 to %10 step %c1 iter_args(%arg13 = %c0_i32) -> (i32) {
        gpu.barrier
        scf.for %arg14 = %c0 to %c2 step %c1 {
          %24 = arith.muli %arg14, %c256 : index
          %25 = arith.addi %24, %3 : index
          %26 = arith.divui %25, %c32 : index
          %27 = arith.remui %25, %c32 : index
          %28 = arith.muli %5, %c16 : index
          %29 = arith.addi %28, %26 : index
          %30 = arith.minsi %29, %arg1 : index
          %31 = arith.muli %arg12, %c32 : index
          %32 = arith.subi %arg0, %31 : index
          %33 = arith.minsi %32, %c32 : index
          %34 = arith.subi %33, %c1 : index
          %35 = arith.minsi %27, %34 : index
          %36 = arith.addi %31, %35 : index
          %37 = arith.muli %30, %arg3 : index
          %38 = arith.addi %37, %36 : index
          %39 = memref.load %arg2[%38] : memref<?xi32>
          %40 = arith.muli %26, %c36 : index
          %41 = arith.addi %40, %27 : index
          memref.store %39, %1[%41] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        scf.for %arg14 = %c0 to %c2 step %c1 {
          %24 = arith.muli %arg14, %c256 : index
          %25 = arith.addi %24, %3 : index
          %26 = arith.divui %25, %c32 : index
          %27 = arith.remui %25, %c32 : index
          %28 = arith.muli %4, %c16 : index
          %29 = arith.addi %28, %26 : index
          %30 = arith.minsi %29, %arg4 : index
          %31 = arith.muli %arg12, %c32 : index
          %32 = arith.subi %arg0, %31 : index
          %33 = arith.minsi %32, %c32 : index
          %34 = arith.subi %33, %c1 : index
          %35 = arith.minsi %27, %34 : index
          %36 = arith.addi %31, %35 : index
          %37 = arith.muli %30, %arg6 : index
          %38 = arith.addi %37, %36 : index
          %39 = memref.load %arg5[%38] : memref<?xi32>
          %40 = arith.muli %26, %c36 : index
          %41 = arith.addi %40, %27 : index
          memref.store %39, %0[%41] : memref<?xi32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %19 = arith.muli %arg12, %c32 : index
        %20 = arith.subi %arg0, %19 : index
        %21 = arith.minsi %20, %c32 : index
        %22 = arith.cmpi eq, %21, %c32 : index
        %23 = scf.if %22 -> (i32) {
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
        } else {
          %24 = scf.for %arg14 = %c0 to %21 step %c1 iter_args(%arg15 = %arg13) -> (i32) {
            %25 = arith.muli %6, %c36 : index
            %26 = arith.addi %25, %arg14 : index
            %27 = memref.load %0[%26] : memref<?xi32, #gpu.address_space<workgroup>>
            %28 = arith.muli %7, %c36 : index
            %29 = arith.addi %28, %arg14 : index
            %30 = memref.load %1[%29] : memref<?xi32, #gpu.address_space<workgroup>>
            %b = arith.muli %27, %30 : i32
            %s = arith.addi %arg15, %b : i32
            scf.yield %s : i32
          }
          scf.yield %24 : i32
        }
        scf.yield %23 : i32
      }
      %12 = arith.muli %4, %c16 : index
      %13 = arith.addi %12, %6 : index
      %14 = arith.cmpi slt, %13, %arg10 : index
      %15 = arith.muli %5, %c16 : index
      %16 = arith.addi %15, %7 : index
      %17 = arith.cmpi slt, %16, %arg11 : index
      %18 = arith.andi %14, %17 : i1
      scf.if %18 {
        %19 = arith.muli %13, %arg11 : index
        %20 = arith.addi %19, %16 : index
        memref.store %11, %arg9[%20] : memref<?xi32>
      }
      gpu.return
    }
  }
  func.func @main(%xss: memref<?x?xi32> {array.sizes = ["n", "k"]}, %yss: memref<?x?xi32> {array.sizes = ["m", "k"]}) -> (memref<?x?xi32> {array.sizes = ["n", "m"]}) {
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
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
    %11 = arith.muli %2, %3 : index
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
    %c31 = arith.constant 31 : index
    %22 = arith.addi %21, %c31 : index
    %c32 = arith.constant 32 : index
    %23 = arith.divui %22, %c32 : index
    %24 = arith.addi %23, %c1 : index
    %25 = arith.minsi %17, %9 : index
    %26 = arith.muli %25, %c16 : index
    %c24 = arith.constant 24 : index
    %27 = arith.addi %26, %c24 : index
    %28 = arith.minsi %27, %10 : index
    %29 = arith.muli %28, %3 : index
    %30 = arith.muli %23, %c32 : index
    %31 = arith.maxsi %1, %30 : index
    %32 = arith.maxsi %31, %c32 : index
    %33 = arith.addi %32, %c1 : index
    %34 = arith.maxsi %c32, %33 : index
    %35 = arith.addi %30, %34 : index
    %36 = arith.addi %29, %35 : index
    %37 = arith.maxsi %9, %c1 : index
    %38 = arith.divui %17, %37 : index
    %39 = arith.muli %38, %c16 : index
    %40 = arith.addi %39, %c24 : index
    %41 = arith.minsi %40, %7 : index
    %42 = arith.muli %41, %1 : index
    %43 = arith.addi %42, %35 : index
    %c576 = arith.constant 576 : index
    %44 = arith.maxsi %c0, %32 : index
    %45 = arith.addi %c576, %44 : index
    %46 = arith.addi %39, %c16 : index
    %47 = arith.addi %26, %c16 : index
    %48 = arith.muli %46, %2 : index
    %49 = arith.addi %48, %47 : index
    %50 = memref.dim %12, %c0 : memref<?xi32>
    %51 = memref.dim %14, %c0 : memref<?xi32>
    %52 = memref.dim %16, %c0 : memref<?xi32>
    %53 = arith.maxui %1, %24 : index
    %54 = arith.maxui %53, %21 : index
    %55 = arith.maxui %54, %22 : index
    %56 = arith.maxui %55, %23 : index
    %57 = arith.maxui %56, %17 : index
    %58 = arith.maxui %57, %9 : index
    %59 = arith.maxui %58, %25 : index
    %60 = arith.maxui %59, %26 : index
    %61 = arith.maxui %60, %27 : index
    %62 = arith.maxui %61, %10 : index
    %63 = arith.maxui %62, %28 : index
    %64 = arith.maxui %63, %3 : index
    %65 = arith.maxui %64, %29 : index
    %66 = arith.maxui %65, %30 : index
    %67 = arith.maxui %66, %31 : index
    %68 = arith.maxui %67, %32 : index
    %69 = arith.maxui %68, %33 : index
    %70 = arith.maxui %69, %34 : index
    %71 = arith.maxui %70, %35 : index
    %72 = arith.maxui %71, %36 : index
    %73 = arith.maxui %72, %38 : index
    %74 = arith.maxui %73, %39 : index
    %75 = arith.maxui %74, %40 : index
    %76 = arith.maxui %75, %7 : index
    %77 = arith.maxui %76, %41 : index
    %78 = arith.maxui %77, %42 : index
    %79 = arith.maxui %78, %43 : index
    %80 = arith.maxui %79, %45 : index
    %81 = arith.maxui %80, %46 : index
    %82 = arith.maxui %81, %0 : index
    %83 = arith.maxui %82, %47 : index
    %84 = arith.maxui %83, %2 : index
    %85 = arith.maxui %84, %48 : index
    %86 = arith.maxui %85, %49 : index
    %87 = arith.maxui %86, %50 : index
    %88 = arith.maxui %87, %51 : index
    %89 = arith.maxui %88, %52 : index
    %90 = arith.cmpi ule, %89, %c2147483647 : index
    scf.if %90 {
      gpu.launch_func @kernels::@main_segmap_block_0 blocks in (%17, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %c4608_i32 args(%1 : index, %10 : index, %12 : memref<?xi32>, %3 : index, %7 : index, %14 : memref<?xi32>, %1 : index, %9 : index, %6 : index, %16 : memref<?xi32>, %0 : index, %2 : index)
    } else {
      gpu.launch_func @kernels::@main_segmap_block_0_64 blocks in (%17, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %c4608_i32 args(%1 : index, %10 : index, %12 : memref<?xi32>, %3 : index, %7 : index, %14 : memref<?xi32>, %1 : index, %9 : index, %6 : index, %16 : memref<?xi32>, %0 : index, %2 : index)
    }
    %91 = memref.reinterpret_cast %16 to offset: [0], sizes: [%0, %2], strides: [%2, 1] : memref<?xi32> to memref<?x?xi32>
    func.return %91 : memref<?x?xi32>
  }
}
