// pass: builtin.module(array-to-kernel-one,func.func(vectorize),lower-to-gpu,canonicalize,cse,dce,narrow-indices,cse,dce)
// The index, its quotient and remainder, the comparison and the loop are of 32 bits where all bounds are; the kernel as
// it was is launched where one is not. A read at an index from memory (the last) stays of 64 bits.
func.func @main(%a: !array.array<[n][k]f32>, %places: !array.array<[n][m]index>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %r = array.map (%row in %a : [n][k]f32, %ps in %places : [n][m]index) {
    %ys = array.map (%p in %ps : [m]index) {
      %sum = array.reduce (%row : [k]f32) init (%zero : f32) combine (%acc, %x) {
        %s = arith.addf %acc, %x : f32
        array.yield %s : f32
      }
      %x = array.index %row[%p] : [k]f32
      %y = arith.addf %sum, %x : f32
      array.yield %y : f32
    }
    array.yield %ys : [m]f32
  }
  func.return %r : !array.array<[n][m]f32>
}
// All sizes are constants: there is no second kernel.
func.func @constant(%xs: !array.array<[1000]f32>) -> !array.array<[1000]f32> {
  %ys = array.map (%x in %xs : [1000]f32) {
    %y = math.sqrt %x : f32
    array.yield %y : f32
  }
  func.return %ys : !array.array<[1000]f32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_0(%arg0: memref<?xindex>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: f32, %arg6: memref<?xf32>, %arg7: index, %arg8: index, %arg9: memref<?xf32>, %arg10: index, %arg11: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over a.0 x places.1"} {
      %0 = arith.index_cast %arg7 : index to i32
      %1 = arith.index_cast %arg8 : index to i32
      %2 = arith.index_cast %arg4 : index to i32
      %3 = arith.index_cast %arg2 : index to i32
      %4 = arith.index_cast %arg3 : index to i32
      %5 = arith.index_cast %arg1 : index to i32
      %6 = arith.index_cast %arg11 : index to i32
      %7 = arith.index_cast %arg10 : index to i32
      %c256_i32 = arith.constant 256 : i32
      %cst = arith.constant 0.000000e+00 : f32
      %8 = gpu.block_id x
      %9 = arith.index_cast %8 : index to i32
      %10 = gpu.thread_id x
      %11 = arith.index_cast %10 : index to i32
      %12 = arith.muli %7, %6 overflow<nsw, nuw> : i32
      %13 = arith.muli %9, %c256_i32 overflow<nsw, nuw> : i32
      %14 = arith.addi %13, %11 overflow<nsw, nuw> : i32
      %15 = arith.cmpi slt, %14, %12 : i32
      %16 = arith.divui %14, %6 : i32
      %17 = arith.index_cast %16 : i32 to index
      %18 = arith.remui %14, %6 : i32
      scf.if %15 {
        %19 = arith.muli %16, %5 overflow<nsw, nuw> : i32
        %20 = arith.addi %19, %18 overflow<nsw, nuw> : i32
        %21 = arith.index_castui %20 : i32 to index
        %22 = memref.load %arg0[%21] : memref<?xindex>
        %23 = arith.cmpi ult, %22, %arg2 : index
        %24 = check.require %23, %22 else %arg3 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [k]f32, which has {1}"(%22, %arg2 : index, index)
        %25 = arith.index_cast %24 : index to i32
        %sum = scf.for %arg12 = %4 to %3 step %2 iter_args(%acc = %arg5) -> (f32) : i32 {
          %35 = arith.muli %16, %1 overflow<nsw, nuw> : i32
          %36 = arith.addi %35, %arg12 overflow<nsw, nuw> : i32
          %37 = arith.index_castui %36 : i32 to index
          %x = memref.load %arg6[%37] : memref<?xf32>
          %s = arith.addf %acc, %x : f32
          scf.yield %s : f32
        }
        %26 = arith.muli %16, %1 : i32
        %27 = arith.addi %26, %25 : i32
        %28 = arith.cmpi ult, %16, %0 : i32
        gpu.check %28, "index {0} of dimension 0 is out of range for an extent of {1}"(%17, %arg7 : index, index)
        %29 = arith.cmpi ult, %24, %arg8 : index
        %30 = arith.andi %28, %29 : i1
        %31 = scf.if %30 -> (f32) {
          %35 = arith.index_castui %27 : i32 to index
          %36 = memref.load %arg6[%35] : memref<?xf32>
          scf.yield %36 : f32
        } else {
          scf.yield %cst : f32
        }
        %y = arith.addf %sum, %31 : f32
        %32 = arith.muli %16, %6 overflow<nsw, nuw> : i32
        %33 = arith.addi %32, %18 overflow<nsw, nuw> : i32
        %34 = arith.index_castui %33 : i32 to index
        memref.store %y, %arg9[%34] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segmap_0_64(%arg0: memref<?xindex>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: f32, %arg6: memref<?xf32>, %arg7: index, %arg8: index, %arg9: memref<?xf32>, %arg10: index, %arg11: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over a.0 x places.1"} {
      %c256 = arith.constant 256 : index
      %cst = arith.constant 0.000000e+00 : f32
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %arg10, %arg11 : index
      %3 = arith.muli %0, %c256 : index
      %4 = arith.addi %3, %1 : index
      %5 = arith.cmpi slt, %4, %2 : index
      %6 = arith.divui %4, %arg11 : index
      %7 = arith.remui %4, %arg11 : index
      scf.if %5 {
        %8 = arith.muli %6, %arg1 : index
        %9 = arith.addi %8, %7 : index
        %10 = memref.load %arg0[%9] : memref<?xindex>
        %11 = arith.cmpi ult, %10, %arg2 : index
        %12 = check.require %11, %10 else %arg3 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [k]f32, which has {1}"(%10, %arg2 : index, index)
        %sum = scf.for %arg12 = %arg3 to %arg2 step %arg4 iter_args(%acc = %arg5) -> (f32) {
          %21 = arith.muli %6, %arg8 : index
          %22 = arith.addi %21, %arg12 : index
          %x = memref.load %arg6[%22] : memref<?xf32>
          %s = arith.addf %acc, %x : f32
          scf.yield %s : f32
        }
        %13 = arith.muli %6, %arg8 : index
        %14 = arith.addi %13, %12 : index
        %15 = arith.cmpi ult, %6, %arg7 : index
        gpu.check %15, "index {0} of dimension 0 is out of range for an extent of {1}"(%6, %arg7 : index, index)
        %16 = arith.cmpi ult, %12, %arg8 : index
        %17 = arith.andi %15, %16 : i1
        %18 = scf.if %17 -> (f32) {
          %21 = memref.load %arg6[%14] : memref<?xf32>
          scf.yield %21 : f32
        } else {
          scf.yield %cst : f32
        }
        %y = arith.addf %sum, %18 : f32
        %19 = arith.muli %6, %arg11 : index
        %20 = arith.addi %19, %7 : index
        memref.store %y, %arg9[%20] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @constant_segmap_1(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over 1000"} {
      %0 = arith.index_cast %arg2 : index to i32
      %c256_i32 = arith.constant 256 : i32
      %c4_i32 = arith.constant 4 : i32
      %1 = gpu.block_id x
      %2 = arith.index_cast %1 : index to i32
      %3 = gpu.thread_id x
      %4 = arith.index_cast %3 : index to i32
      %5 = arith.muli %2, %c256_i32 overflow<nsw, nuw> : i32
      %6 = arith.addi %5, %4 overflow<nsw, nuw> : i32
      %7 = arith.cmpi slt, %6, %0 : i32
      scf.if %7 {
        %8 = arith.muli %6, %c4_i32 overflow<nsw, nuw> : i32
        %9 = arith.index_castui %8 : i32 to index
        %10 = vector.load %arg0[%9] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %11:4 = "vector.to_elements"(%10) : (vector<4xf32>) -> (f32, f32, f32, f32)
        %y = math.sqrt %11#0 : f32
        %y_0 = math.sqrt %11#1 : f32
        %y_1 = math.sqrt %11#2 : f32
        %y_2 = math.sqrt %11#3 : f32
        %12 = "vector.from_elements"(%y, %y_0, %y_1, %y_2) : (f32, f32, f32, f32) -> vector<4xf32>
        vector.store %12, %arg1[%9] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      }
      gpu.return
    }
    gpu.func @constant_segmap_1_64(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over 1000"} {
      %c256 = arith.constant 256 : index
      %c4 = arith.constant 4 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg2 : index
      scf.if %4 {
        %5 = arith.muli %3, %c4 : index
        %6 = vector.load %arg0[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %7:4 = "vector.to_elements"(%6) : (vector<4xf32>) -> (f32, f32, f32, f32)
        %y = math.sqrt %7#0 : f32
        %y_0 = math.sqrt %7#1 : f32
        %y_1 = math.sqrt %7#2 : f32
        %y_2 = math.sqrt %7#3 : f32
        %8 = "vector.from_elements"(%y, %y_0, %y_1, %y_2) : (f32, f32, f32, f32) -> vector<4xf32>
        vector.store %8, %arg1[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      }
      gpu.return
    }
  }
  func.func @main(%a: memref<?x?xf32> {array.sizes = ["n", "k"]}, %places: memref<?x?xindex> {array.sizes = ["n", "m"]}) -> (memref<?x?xf32> {array.sizes = ["n", "m"]}) {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %0 = memref.dim %a, %c0 : memref<?x?xf32>
    %1 = memref.dim %a, %c1 : memref<?x?xf32>
    %2 = memref.dim %places, %c0 : memref<?x?xindex>
    %3 = memref.dim %places, %c1 : memref<?x?xindex>
    %4 = arith.cmpi eq, %0, %2 : index
    cf.assert %4, "size `n`: dimension 0 of parameter #1 differs from dimension 0 of parameter #0"
    %5 = arith.muli %0, %3 : index
    %6 = gpu.alloc (%5) : memref<?xf32>
    %7 = arith.muli %2, %3 : index
    %8 = memref.reinterpret_cast %places to offset: [0], sizes: [%7], strides: [1] : memref<?x?xindex> to memref<?xindex>
    %9 = arith.muli %0, %1 : index
    %10 = memref.reinterpret_cast %a to offset: [0], sizes: [%9], strides: [1] : memref<?x?xf32> to memref<?xf32>
    %11 = arith.addi %5, %c255 : index
    %12 = arith.divui %11, %c256 : index
    %13 = arith.cmpi sle, %12, %c2147483647 : index
    cf.assert %13, "the launch is larger than the hardware allows"
    %14 = arith.muli %12, %c256 : index
    %15 = arith.addi %14, %c256 : index
    %16 = arith.maxsi %3, %c1 : index
    %17 = arith.divui %15, %16 : index
    %18 = arith.muli %17, %3 : index
    %19 = arith.minsi %15, %3 : index
    %20 = arith.addi %18, %19 : index
    %21 = arith.addi %1, %c1 : index
    %22 = arith.muli %17, %1 : index
    %23 = arith.addi %22, %1 : index
    %24 = memref.dim %8, %c0 : memref<?xindex>
    %25 = memref.dim %10, %c0 : memref<?xf32>
    %26 = memref.dim %6, %c0 : memref<?xf32>
    %27 = arith.maxui %12, %14 : index
    %28 = arith.maxui %27, %15 : index
    %29 = arith.maxui %28, %0 : index
    %30 = arith.maxui %29, %3 : index
    %31 = arith.maxui %30, %5 : index
    %32 = arith.maxui %31, %17 : index
    %33 = arith.maxui %32, %18 : index
    %34 = arith.maxui %33, %19 : index
    %35 = arith.maxui %34, %20 : index
    %36 = arith.maxui %35, %1 : index
    %37 = arith.maxui %36, %21 : index
    %38 = arith.maxui %37, %22 : index
    %39 = arith.maxui %38, %23 : index
    %40 = arith.maxui %39, %24 : index
    %41 = arith.maxui %40, %25 : index
    %42 = arith.maxui %41, %26 : index
    %43 = arith.cmpi ule, %42, %c2147483647 : index
    scf.if %43 {
      gpu.launch_func @kernels::@main_segmap_0 blocks in (%12, %c1, %c1) threads in (%c256, %c1, %c1) args(%8 : memref<?xindex>, %3 : index, %1 : index, %c0 : index, %c1 : index, %zero : f32, %10 : memref<?xf32>, %0 : index, %1 : index, %6 : memref<?xf32>, %0 : index, %3 : index)
    } else {
      gpu.launch_func @kernels::@main_segmap_0_64 blocks in (%12, %c1, %c1) threads in (%c256, %c1, %c1) args(%8 : memref<?xindex>, %3 : index, %1 : index, %c0 : index, %c1 : index, %zero : f32, %10 : memref<?xf32>, %0 : index, %1 : index, %6 : memref<?xf32>, %0 : index, %3 : index)
    }
    %44 = memref.reinterpret_cast %6 to offset: [0], sizes: [%0, %3], strides: [%3, 1] : memref<?xf32> to memref<?x?xf32>
    func.return %44 : memref<?x?xf32>
  }
  func.func @constant(%xs: memref<?xf32> {array.sizes = [1000]}) -> (memref<?xf32> {array.sizes = [1000]}) {
    %c1000 = arith.constant 1000 : index
    %c0 = arith.constant 0 : index
    %c250 = arith.constant 250 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %0 = memref.dim %xs, %c0 : memref<?xf32>
    %1 = arith.cmpi eq, %0, %c1000 : index
    cf.assert %1, "dimension 0 of parameter #0 is not 1000"
    %2 = gpu.alloc (%c1000) : memref<?xf32>
    %3 = memref.dim %2, %c0 : memref<?xf32>
    %4 = arith.maxui %0, %3 : index
    %c2147483647 = arith.constant 2147483647 : index
    %5 = arith.cmpi ule, %4, %c2147483647 : index
    scf.if %5 {
      gpu.launch_func @kernels::@constant_segmap_1 blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf32>, %2 : memref<?xf32>, %c250 : index, %c1000 : index)
    } else {
      gpu.launch_func @kernels::@constant_segmap_1_64 blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf32>, %2 : memref<?xf32>, %c250 : index, %c1000 : index)
    }
    func.return %2 : memref<?xf32>
  }
}
