// pass: builtin.module(kernel-to-gpu)
// A nest of values becomes a kernel and its launch; a choice between versions stays with the host.
func.func @main(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %large = kernel.at_least %n, "main.top.0" default 32768
  %r = scf.if %large -> (tensor<?xf32>) {
    %a = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %x = tensor.extract %xs[%i] : tensor<?xf32>
      %y = arith.addf %x, %x : f32
      kernel.return %y : f32
    }
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %xs : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_0(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n"} {
      %0 = arith.index_cast %arg3 : index to i32
      %1 = arith.index_cast %arg2 : index to i32
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
          %y = arith.addf %14#0, %14#0 : f32
          %y_0 = arith.addf %14#1, %14#1 : f32
          %y_1 = arith.addf %14#2, %14#2 : f32
          %y_2 = arith.addf %14#3, %14#3 : f32
          %15 = vector.from_elements %y, %y_0, %y_1, %y_2 : vector<4xf32>
          vector.store %15, %arg1[%12] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %12 = arith.minsi %10, %0 : i32
          scf.for %arg4 = %9 to %12 step %c1_i32 : i32 {
            %13 = arith.index_castui %arg4 : i32 to index
            %14 = memref.load %arg0[%13] : memref<?xf32>
            %y = arith.addf %14, %14 : f32
            memref.store %y, %arg1[%13] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
    gpu.func @main_segmap_0_64(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n"} {
      %c256 = arith.constant 256 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg2 : index
      scf.if %4 {
        %5 = arith.muli %3, %c4 : index
        %6 = arith.addi %5, %c4 : index
        %7 = arith.cmpi sle, %6, %arg3 : index
        scf.if %7 {
          %8 = vector.load %arg0[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %9:4 = vector.to_elements %8 : vector<4xf32>
          %y = arith.addf %9#0, %9#0 : f32
          %y_0 = arith.addf %9#1, %9#1 : f32
          %y_1 = arith.addf %9#2, %9#2 : f32
          %y_2 = arith.addf %9#3, %9#3 : f32
          %10 = vector.from_elements %y, %y_0, %y_1, %y_2 : vector<4xf32>
          vector.store %10, %arg1[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %8 = arith.minsi %6, %arg3 : index
          scf.for %arg4 = %5 to %8 step %c1 {
            %9 = memref.load %arg0[%arg4] : memref<?xf32>
            %y = arith.addf %9, %9 : f32
            memref.store %y, %arg1[%arg4] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xf32>, %n: index) -> memref<?xf32> {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %large = kernel.at_least %n, "main.top.0" default 32768
    %r = scf.if %large -> (memref<?xf32>) {
      %0 = gpu.alloc (%n) : memref<?xf32>
      %1 = arith.addi %n, %c3 : index
      %2 = arith.divui %1, %c4 : index
      %3 = arith.addi %2, %c255 : index
      %4 = arith.divui %3, %c256 : index
      %5 = arith.cmpi sle, %4, %c2147483647 : index
      %6 = arith.subi %4, %c2147483647 : index
      %7 = check.require %5, %4 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%4, %6 : index, index)
      %8 = arith.muli %4, %c256 : index
      %9 = arith.addi %8, %c256 : index
      %10 = arith.muli %9, %c4 : index
      %11 = arith.addi %10, %c4 : index
      %12 = arith.minsi %11, %n : index
      %13 = arith.addi %12, %c1 : index
      %c0 = arith.constant 0 : index
      %14 = memref.dim %xs, %c0 : memref<?xf32>
      %15 = arith.maxui %4, %8 : index
      %16 = arith.maxui %15, %9 : index
      %17 = arith.maxui %16, %2 : index
      %18 = arith.maxui %17, %10 : index
      %19 = arith.maxui %18, %11 : index
      %20 = arith.maxui %19, %n : index
      %21 = arith.maxui %20, %13 : index
      %22 = arith.maxui %21, %12 : index
      %23 = arith.maxui %22, %14 : index
      %24 = arith.cmpi ule, %23, %c2147483647 : index
      scf.if %24 {
        gpu.launch_func @kernels::@main_segmap_0 blocks in (%4, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf32>, %0 : memref<?xf32>, %2 : index, %n : index)
      } else {
        gpu.launch_func @kernels::@main_segmap_0_64 blocks in (%4, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf32>, %0 : memref<?xf32>, %2 : index, %n : index)
      }
      scf.yield %0 : memref<?xf32>
    } else {
      scf.yield %xs : memref<?xf32>
    }
    func.return %r : memref<?xf32>
  }
}
