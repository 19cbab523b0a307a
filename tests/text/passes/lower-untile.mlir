// pass: builtin.module(func.func(choose-mapping),lower-to-gpu,canonicalize,cse,dce)
// Tiles of which nobody knows who made them are put together by a kernel.
func.func @whole(%tiles: tensor<?x?x4x8xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %r = kernel.untile %tiles to [%n, %m] : tensor<?x?x4x8xf32> -> tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @whole_segmap_0(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index, %arg5: index, %arg6: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n x m"} {
      %c8 = arith.constant 8 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg3 : index
      %5 = arith.divui %3, %arg4 : index
      %6 = arith.remui %3, %arg4 : index
      scf.if %4 {
        %7 = arith.muli %5, %arg6 : index
        %8 = arith.divui %7, %c4 : index
        %9 = arith.addi %8, %6 : index
        %10 = arith.muli %9, %c4 : index
        %11 = arith.addi %7, %arg6 : index
        %12 = arith.addi %10, %c4 : index
        %13 = arith.cmpi sle, %12, %11 : index
        %14 = arith.cmpi sge, %10, %7 : index
        %15 = arith.andi %13, %14 : i1
        scf.if %15 {
          %16 = arith.subi %10, %7 : index
          %17 = arith.divui %5, %c4 : index
          %18 = arith.divui %16, %c8 : index
          %19 = arith.remui %5, %c4 : index
          %20 = arith.remui %16, %c8 : index
          %21 = arith.muli %17, %arg1 : index
          %22 = arith.addi %21, %18 : index
          %23 = arith.muli %22, %c4 : index
          %24 = arith.addi %23, %19 : index
          %25 = arith.muli %24, %c8 : index
          %26 = arith.addi %25, %20 : index
          %27 = memref.load %arg0[%26] : memref<?xf32>
          %28 = arith.addi %16, %c1 : index
          %29 = arith.divui %28, %c8 : index
          %30 = arith.remui %28, %c8 : index
          %31 = arith.addi %21, %29 : index
          %32 = arith.muli %31, %c4 : index
          %33 = arith.addi %32, %19 : index
          %34 = arith.muli %33, %c8 : index
          %35 = arith.addi %34, %30 : index
          %36 = memref.load %arg0[%35] : memref<?xf32>
          %37 = arith.addi %16, %c2 : index
          %38 = arith.divui %37, %c8 : index
          %39 = arith.remui %37, %c8 : index
          %40 = arith.addi %21, %38 : index
          %41 = arith.muli %40, %c4 : index
          %42 = arith.addi %41, %19 : index
          %43 = arith.muli %42, %c8 : index
          %44 = arith.addi %43, %39 : index
          %45 = memref.load %arg0[%44] : memref<?xf32>
          %46 = arith.addi %16, %c3 : index
          %47 = arith.divui %46, %c8 : index
          %48 = arith.remui %46, %c8 : index
          %49 = arith.addi %21, %47 : index
          %50 = arith.muli %49, %c4 : index
          %51 = arith.addi %50, %19 : index
          %52 = arith.muli %51, %c8 : index
          %53 = arith.addi %52, %48 : index
          %54 = memref.load %arg0[%53] : memref<?xf32>
          %55 = vector.from_elements %27, %36, %45, %54 : vector<4xf32>
          vector.store %55, %arg2[%10] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %16 = arith.maxsi %10, %7 : index
          %17 = arith.minsi %12, %11 : index
          scf.for %arg7 = %16 to %17 step %c1 {
            %18 = arith.subi %arg7, %7 : index
            %19 = arith.divui %5, %c4 : index
            %20 = arith.divui %18, %c8 : index
            %21 = arith.remui %5, %c4 : index
            %22 = arith.remui %18, %c8 : index
            %23 = arith.muli %19, %arg1 : index
            %24 = arith.addi %23, %20 : index
            %25 = arith.muli %24, %c4 : index
            %26 = arith.addi %25, %21 : index
            %27 = arith.muli %26, %c8 : index
            %28 = arith.addi %27, %22 : index
            %29 = memref.load %arg0[%28] : memref<?xf32>
            memref.store %29, %arg2[%arg7] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
  }
  func.func @whole(%tiles: memref<?x?x4x8xf32>, %n: index, %m: index) -> memref<?x?xf32> {
    %c4 = arith.constant 4 : index
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
    %4 = arith.minsi %3, %m : index
    %5 = memref.dim %tiles, %c0 : memref<?x?x4x8xf32>
    %6 = memref.dim %tiles, %c1 : memref<?x?x4x8xf32>
    %7 = arith.muli %5, %6 : index
    %8 = arith.muli %7, %c32 : index
    %9 = memref.reinterpret_cast %tiles to offset: [0], sizes: [%8], strides: [1] : memref<?x?x4x8xf32> to memref<?xf32>
    %10 = arith.muli %n, %4 : index
    %11 = arith.addi %10, %c255 : index
    %12 = arith.divui %11, %c256 : index
    %13 = arith.cmpi sle, %12, %c2147483647 : index
    %14 = arith.subi %12, %c2147483647 : index
    %15 = check.require %13, %12 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%12, %14 : index, index)
    gpu.launch_func @kernels::@whole_segmap_0 blocks in (%12, %c1, %c1) threads in (%c256, %c1, %c1) args(%9 : memref<?xf32>, %6 : index, %1 : memref<?xf32>, %10 : index, %4 : index, %n : index, %m : index)
    %16 = memref.reinterpret_cast %1 to offset: [0], sizes: [%n, %m], strides: [%m, 1] : memref<?xf32> to memref<?x?xf32>
    func.return %16 : memref<?x?xf32>
  }
}
