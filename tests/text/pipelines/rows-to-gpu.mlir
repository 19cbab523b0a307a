// pass: builtin.module(array-to-gpu)
// Maps in maps are one segmented map: no version of a perfect nest is better than the flat one.
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
    gpu.func @main_segmap_0(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n x m"} {
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
          %14:4 = vector.to_elements %13 : vector<4xf32>
          %y = arith.mulf %14#0, %14#0 : f32
          %y_0 = arith.mulf %14#1, %14#1 : f32
          %y_1 = arith.mulf %14#2, %14#2 : f32
          %y_2 = arith.mulf %14#3, %14#3 : f32
          %15 = vector.from_elements %y, %y_0, %y_1, %y_2 : vector<4xf32>
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
    gpu.func @main_segmap_0_64(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<?xf32>, %arg3: index, %arg4: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n x m"} {
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
          %9:4 = vector.to_elements %8 : vector<4xf32>
          %y = arith.mulf %9#0, %9#0 : f32
          %y_0 = arith.mulf %9#1, %9#1 : f32
          %y_1 = arith.mulf %9#2, %9#2 : f32
          %y_2 = arith.mulf %9#3, %9#3 : f32
          %10 = vector.from_elements %y, %y_0, %y_1, %y_2 : vector<4xf32>
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
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %0 = memref.dim %a, %c0 : memref<?x?xf32>
    %1 = memref.dim %a, %c1 : memref<?x?xf32>
    %2 = arith.muli %0, %1 : index
    %3 = gpu.alloc (%2) : memref<?xf32>
    %4 = arith.addi %2, %c3 : index
    %5 = arith.divui %4, %c4 : index
    %6 = memref.reinterpret_cast %a to offset: [0], sizes: [%2], strides: [1] : memref<?x?xf32> to memref<?xf32>
    %7 = arith.addi %5, %c255 : index
    %8 = arith.divui %7, %c256 : index
    %9 = arith.cmpi sle, %8, %c2147483647 : index
    %10 = arith.subi %8, %c2147483647 : index
    %11 = check.require %9, %8 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%8, %10 : index, index)
    %12 = arith.muli %8, %c256 : index
    %13 = arith.addi %12, %c256 : index
    %14 = arith.muli %13, %c4 : index
    %15 = arith.addi %14, %c4 : index
    %16 = arith.minsi %15, %2 : index
    %17 = arith.addi %16, %c1 : index
    %18 = arith.maxui %8, %12 : index
    %19 = arith.maxui %18, %13 : index
    %20 = arith.maxui %19, %5 : index
    %21 = arith.maxui %20, %14 : index
    %22 = arith.maxui %21, %15 : index
    %23 = arith.maxui %22, %2 : index
    %24 = arith.maxui %23, %17 : index
    %25 = arith.maxui %24, %16 : index
    %26 = arith.cmpi ule, %25, %c2147483647 : index
    scf.if %26 {
      gpu.launch_func @kernels::@main_segmap_0 blocks in (%8, %c1, %c1) threads in (%c256, %c1, %c1) args(%6 : memref<?xf32>, %1 : index, %3 : memref<?xf32>, %5 : index, %2 : index)
    } else {
      gpu.launch_func @kernels::@main_segmap_0_64 blocks in (%8, %c1, %c1) threads in (%c256, %c1, %c1) args(%6 : memref<?xf32>, %1 : index, %3 : memref<?xf32>, %5 : index, %2 : index)
    }
    %27 = memref.reinterpret_cast %3 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
    func.return %27 : memref<?x?xf32>
  }
}
