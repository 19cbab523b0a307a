// pass: builtin.module(lower-to-gpu,canonicalize,cse,dce)
// Tiles of which nobody knows who made them are put together by a kernel.
func.func @whole(%tiles: tensor<?x?x4x8xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %r = kernel.untile %tiles to [%n, %m] : tensor<?x?x4x8xf32> -> tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @whole_segmap_0(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index, %arg5: index, %arg6: memref<?xf32>, %arg7: index, %arg8: index, %arg9: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over ? x ?"} {
      %c256 = arith.constant 256 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %arg7, %arg8 : index
      %3 = arith.muli %0, %c256 : index
      %4 = arith.addi %3, %1 : index
      %5 = arith.cmpi slt, %4, %2 : index
      %6 = arith.divui %4, %arg8 : index
      %7 = arith.remui %4, %arg8 : index
      scf.if %5 {
        %8 = arith.muli %6, %arg9 : index
        %9 = arith.divui %8, %c4 : index
        %10 = arith.addi %9, %7 : index
        %11 = arith.muli %10, %c4 : index
        %12 = arith.addi %8, %arg9 : index
        %13 = arith.addi %11, %c4 : index
        %14 = arith.cmpi sle, %13, %12 : index
        %15 = arith.cmpi sge, %11, %8 : index
        %16 = arith.andi %14, %15 : i1
        scf.if %16 {
          %17 = arith.subi %11, %8 : index
          %18 = arith.divui %6, %arg0 : index
          %19 = arith.divui %17, %arg1 : index
          %20 = arith.remui %6, %arg0 : index
          %21 = arith.remui %17, %arg1 : index
          %22 = arith.muli %18, %arg3 : index
          %23 = arith.addi %22, %19 : index
          %24 = arith.muli %23, %arg4 : index
          %25 = arith.addi %24, %20 : index
          %26 = arith.muli %25, %arg5 : index
          %27 = arith.addi %26, %21 : index
          %28 = memref.load %arg2[%27] : memref<?xf32>
          %29 = arith.addi %17, %c1 : index
          %30 = arith.divui %29, %arg1 : index
          %31 = arith.remui %29, %arg1 : index
          %32 = arith.addi %22, %30 : index
          %33 = arith.muli %32, %arg4 : index
          %34 = arith.addi %33, %20 : index
          %35 = arith.muli %34, %arg5 : index
          %36 = arith.addi %35, %31 : index
          %37 = memref.load %arg2[%36] : memref<?xf32>
          %38 = arith.addi %17, %c2 : index
          %39 = arith.divui %38, %arg1 : index
          %40 = arith.remui %38, %arg1 : index
          %41 = arith.addi %22, %39 : index
          %42 = arith.muli %41, %arg4 : index
          %43 = arith.addi %42, %20 : index
          %44 = arith.muli %43, %arg5 : index
          %45 = arith.addi %44, %40 : index
          %46 = memref.load %arg2[%45] : memref<?xf32>
          %47 = arith.addi %17, %c3 : index
          %48 = arith.divui %47, %arg1 : index
          %49 = arith.remui %47, %arg1 : index
          %50 = arith.addi %22, %48 : index
          %51 = arith.muli %50, %arg4 : index
          %52 = arith.addi %51, %20 : index
          %53 = arith.muli %52, %arg5 : index
          %54 = arith.addi %53, %49 : index
          %55 = memref.load %arg2[%54] : memref<?xf32>
          %56 = "vector.from_elements"(%28, %37, %46, %55) : (f32, f32, f32, f32) -> vector<4xf32>
          vector.store %56, %arg6[%11] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %17 = arith.maxsi %11, %8 : index
          %18 = arith.minsi %13, %12 : index
          scf.for %arg10 = %17 to %18 step %c1 {
            %19 = arith.subi %arg10, %8 : index
            %20 = arith.divui %6, %arg0 : index
            %21 = arith.divui %19, %arg1 : index
            %22 = arith.remui %6, %arg0 : index
            %23 = arith.remui %19, %arg1 : index
            %24 = arith.muli %20, %arg3 : index
            %25 = arith.addi %24, %21 : index
            %26 = arith.muli %25, %arg4 : index
            %27 = arith.addi %26, %22 : index
            %28 = arith.muli %27, %arg5 : index
            %29 = arith.addi %28, %23 : index
            %30 = memref.load %arg2[%29] : memref<?xf32>
            memref.store %30, %arg6[%arg10] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
  }
  func.func @whole(%tiles: memref<?x?x4x8xf32>, %n: index, %m: index) -> memref<?x?xf32> {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %0 = arith.muli %n, %m : index
    %1 = gpu.alloc (%0) : memref<?xf32>
    %2 = arith.addi %m, %c6 : index
    %3 = arith.divui %2, %c4 : index
    %4 = memref.dim %tiles, %c0 : memref<?x?x4x8xf32>
    %5 = memref.dim %tiles, %c1 : memref<?x?x4x8xf32>
    %6 = arith.muli %4, %5 : index
    %7 = arith.muli %6, %c32 : index
    %8 = memref.reinterpret_cast %tiles to offset: [0], sizes: [%7], strides: [1] : memref<?x?x4x8xf32> to memref<?xf32>
    %9 = arith.muli %n, %3 : index
    %10 = arith.addi %9, %c255 : index
    %11 = arith.divui %10, %c256 : index
    %12 = arith.cmpi sle, %11, %c2147483647 : index
    cf.assert %12, "the launch is larger than the hardware allows"
    gpu.launch_func @kernels::@whole_segmap_0 blocks in (%11, %c1, %c1) threads in (%c256, %c1, %c1) args(%c4 : index, %c8 : index, %8 : memref<?xf32>, %5 : index, %c4 : index, %c8 : index, %1 : memref<?xf32>, %n : index, %3 : index, %m : index)
    %13 = memref.reinterpret_cast %1 to offset: [0], sizes: [%n, %m], strides: [%m, 1] : memref<?xf32> to memref<?x?xf32>
    func.return %13 : memref<?x?xf32>
  }
}
