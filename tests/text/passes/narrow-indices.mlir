// pass: builtin.module(array-to-kernel-one,func.func(vectorize,choose-mapping),lower-to-gpu,canonicalize,cse,dce,narrow-indices,cse,dce)
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
    gpu.func @main_segmap_0(%arg0: memref<?xindex>, %arg1: index, %arg2: index, %arg3: memref<?xf32>, %arg4: index, %arg5: index, %arg6: memref<?xf32>, %arg7: index, %arg8: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n x m"} {
      %0 = arith.index_cast %arg4 : index to i32
      %1 = arith.index_cast %arg5 : index to i32
      %2 = arith.index_cast %arg2 : index to i32
      %3 = arith.index_cast %arg1 : index to i32
      %4 = arith.index_cast %arg8 : index to i32
      %5 = arith.index_cast %arg7 : index to i32
      %cst = arith.constant 0.000000e+00 : f32
      %c1_i32 = arith.constant 1 : i32
      %c0 = arith.constant 0 : index
      %c0_i32 = arith.constant 0 : i32
      %c256_i32 = arith.constant 256 : i32
      %6 = gpu.block_id x
      %7 = arith.index_cast %6 : index to i32
      %8 = gpu.thread_id x
      %9 = arith.index_cast %8 : index to i32
      %10 = arith.muli %7, %c256_i32 overflow<nsw, nuw> : i32
      %11 = arith.addi %10, %9 overflow<nsw, nuw> : i32
      %12 = arith.cmpi slt, %11, %5 : i32
      %13 = arith.divui %11, %4 : i32
      %14 = arith.index_cast %13 : i32 to index
      %15 = arith.remui %11, %4 : i32
      scf.if %12 {
        %16 = arith.muli %13, %3 overflow<nsw, nuw> : i32
        %17 = arith.addi %16, %15 overflow<nsw, nuw> : i32
        %18 = arith.index_castui %17 : i32 to index
        %19 = memref.load %arg0[%18] : memref<?xindex>
        %20 = arith.cmpi ult, %19, %arg2 : index
        %21 = check.require %20, %19 else %c0 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [k]f32, which has {1}"(%19, %arg2 : index, index)
        %22 = arith.index_cast %21 : index to i32
        %sum = scf.for %arg9 = %c0_i32 to %2 step %c1_i32 iter_args(%acc = %cst) -> (f32) : i32 {
          %32 = arith.muli %13, %1 overflow<nsw, nuw> : i32
          %33 = arith.addi %32, %arg9 overflow<nsw, nuw> : i32
          %34 = arith.index_castui %33 : i32 to index
          %x = memref.load %arg3[%34] : memref<?xf32>
          %s = arith.addf %acc, %x : f32
          scf.yield %s : f32
        }
        %23 = arith.muli %13, %1 : i32
        %24 = arith.addi %23, %22 : i32
        %25 = arith.cmpi ult, %13, %0 : i32
        gpu.check %25, "index {0} of dimension 0 is out of range for an extent of {1}"(%14, %arg4 : index, index)
        %26 = arith.cmpi ult, %21, %arg5 : index
        %27 = arith.andi %25, %26 : i1
        %28 = scf.if %27 -> (f32) {
          %32 = arith.index_castui %24 : i32 to index
          %33 = memref.load %arg3[%32] : memref<?xf32>
          scf.yield %33 : f32
        } else {
          scf.yield %cst : f32
        }
        %y = arith.addf %sum, %28 : f32
        %29 = arith.muli %13, %4 overflow<nsw, nuw> : i32
        %30 = arith.addi %29, %15 overflow<nsw, nuw> : i32
        %31 = arith.index_castui %30 : i32 to index
        memref.store %y, %arg6[%31] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @main_segmap_0_64(%arg0: memref<?xindex>, %arg1: index, %arg2: index, %arg3: memref<?xf32>, %arg4: index, %arg5: index, %arg6: memref<?xf32>, %arg7: index, %arg8: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n x m"} {
      %cst = arith.constant 0.000000e+00 : f32
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c256 = arith.constant 256 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg7 : index
      %5 = arith.divui %3, %arg8 : index
      %6 = arith.remui %3, %arg8 : index
      scf.if %4 {
        %7 = arith.muli %5, %arg1 : index
        %8 = arith.addi %7, %6 : index
        %9 = memref.load %arg0[%8] : memref<?xindex>
        %10 = arith.cmpi ult, %9, %arg2 : index
        %11 = check.require %10, %9 else %c0 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [k]f32, which has {1}"(%9, %arg2 : index, index)
        %sum = scf.for %arg9 = %c0 to %arg2 step %c1 iter_args(%acc = %cst) -> (f32) {
          %20 = arith.muli %5, %arg5 : index
          %21 = arith.addi %20, %arg9 : index
          %x = memref.load %arg3[%21] : memref<?xf32>
          %s = arith.addf %acc, %x : f32
          scf.yield %s : f32
        }
        %12 = arith.muli %5, %arg5 : index
        %13 = arith.addi %12, %11 : index
        %14 = arith.cmpi ult, %5, %arg4 : index
        gpu.check %14, "index {0} of dimension 0 is out of range for an extent of {1}"(%5, %arg4 : index, index)
        %15 = arith.cmpi ult, %11, %arg5 : index
        %16 = arith.andi %14, %15 : i1
        %17 = scf.if %16 -> (f32) {
          %20 = memref.load %arg3[%13] : memref<?xf32>
          scf.yield %20 : f32
        } else {
          scf.yield %cst : f32
        }
        %y = arith.addf %sum, %17 : f32
        %18 = arith.muli %5, %arg8 : index
        %19 = arith.addi %18, %6 : index
        memref.store %y, %arg6[%19] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @constant_segmap_1(%arg0: memref<?xf32>, %arg1: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over 1000"} {
      %c250_i32 = arith.constant 250 : i32
      %c256_i32 = arith.constant 256 : i32
      %c4_i32 = arith.constant 4 : i32
      %0 = gpu.block_id x
      %1 = arith.index_cast %0 : index to i32
      %2 = gpu.thread_id x
      %3 = arith.index_cast %2 : index to i32
      %4 = arith.muli %1, %c256_i32 overflow<nsw, nuw> : i32
      %5 = arith.addi %4, %3 overflow<nsw, nuw> : i32
      %6 = arith.cmpi slt, %5, %c250_i32 : i32
      scf.if %6 {
        %7 = arith.muli %5, %c4_i32 overflow<nsw, nuw> : i32
        %8 = arith.index_castui %7 : i32 to index
        %9 = vector.load %arg0[%8] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %10:4 = vector.to_elements %9 : vector<4xf32>
        %y = math.sqrt %10#0 : f32
        %y_0 = math.sqrt %10#1 : f32
        %y_1 = math.sqrt %10#2 : f32
        %y_2 = math.sqrt %10#3 : f32
        %11 = vector.from_elements %y, %y_0, %y_1, %y_2 : vector<4xf32>
        vector.store %11, %arg1[%8] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      }
      gpu.return
    }
  }
  func.func @main(%a: memref<?x?xf32> {array.sizes = ["n", "k"]}, %places: memref<?x?xindex> {array.sizes = ["n", "m"]}) -> (memref<?x?xf32> {array.sizes = ["n", "m"]}) {
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
    %7 = memref.reinterpret_cast %places to offset: [0], sizes: [%5], strides: [1] : memref<?x?xindex> to memref<?xindex>
    %8 = arith.muli %0, %1 : index
    %9 = memref.reinterpret_cast %a to offset: [0], sizes: [%8], strides: [1] : memref<?x?xf32> to memref<?xf32>
    %10 = arith.addi %5, %c255 : index
    %11 = arith.divui %10, %c256 : index
    %12 = arith.cmpi sle, %11, %c2147483647 : index
    %13 = arith.subi %11, %c2147483647 : index
    %14 = check.require %12, %11 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%11, %13 : index, index)
    %15 = arith.muli %11, %c256 : index
    %16 = arith.addi %15, %c256 : index
    %17 = arith.maxsi %3, %c1 : index
    %18 = arith.divui %16, %17 : index
    %19 = arith.muli %18, %3 : index
    %20 = arith.minsi %16, %3 : index
    %21 = arith.addi %19, %20 : index
    %22 = arith.addi %1, %c1 : index
    %23 = arith.muli %18, %1 : index
    %24 = arith.addi %23, %1 : index
    %25 = arith.maxui %11, %15 : index
    %26 = arith.maxui %25, %16 : index
    %27 = arith.maxui %26, %5 : index
    %28 = arith.maxui %27, %3 : index
    %29 = arith.maxui %28, %18 : index
    %30 = arith.maxui %29, %19 : index
    %31 = arith.maxui %30, %20 : index
    %32 = arith.maxui %31, %21 : index
    %33 = arith.maxui %32, %1 : index
    %34 = arith.maxui %33, %22 : index
    %35 = arith.maxui %34, %23 : index
    %36 = arith.maxui %35, %24 : index
    %37 = arith.maxui %36, %0 : index
    %38 = arith.maxui %37, %8 : index
    %39 = arith.cmpi ule, %38, %c2147483647 : index
    scf.if %39 {
      gpu.launch_func @kernels::@main_segmap_0 blocks in (%11, %c1, %c1) threads in (%c256, %c1, %c1) args(%7 : memref<?xindex>, %3 : index, %1 : index, %9 : memref<?xf32>, %0 : index, %1 : index, %6 : memref<?xf32>, %5 : index, %3 : index)
    } else {
      gpu.launch_func @kernels::@main_segmap_0_64 blocks in (%11, %c1, %c1) threads in (%c256, %c1, %c1) args(%7 : memref<?xindex>, %3 : index, %1 : index, %9 : memref<?xf32>, %0 : index, %1 : index, %6 : memref<?xf32>, %5 : index, %3 : index)
    }
    %40 = memref.reinterpret_cast %6 to offset: [0], sizes: [%0, %3], strides: [%3, 1] : memref<?xf32> to memref<?x?xf32>
    func.return %40 : memref<?x?xf32>
  }
  func.func @constant(%xs: memref<1000xf32> {array.sizes = [1000]}) -> (memref<1000xf32> {array.sizes = [1000]}) {
    %c1000 = arith.constant 1000 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %0 = gpu.alloc (%c1000) : memref<?xf32>
    %1 = memref.reinterpret_cast %xs to offset: [0], sizes: [1000], strides: [1] : memref<1000xf32> to memref<1000xf32, strided<[1]>>
    %2 = memref.cast %1 : memref<1000xf32, strided<[1]>> to memref<?xf32>
    gpu.launch_func @kernels::@constant_segmap_1 blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%2 : memref<?xf32>, %0 : memref<?xf32>)
    %3 = memref.reinterpret_cast %0 to offset: [0], sizes: [1000], strides: [1] : memref<?xf32> to memref<1000xf32>
    func.return %3 : memref<1000xf32>
  }
}
