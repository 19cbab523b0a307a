// pass: builtin.module(array-to-gpu)
// The whole way of a map: host checks, a launch, and one device function with its annotations.
func.func @main(%a: f32, %xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %zs = array.map (%x in %xs : [n]f32, %y in %ys : [n]f32) {
    %p = arith.mulf %a, %x fastmath<contract> : f32
    %z = arith.addf %p, %y fastmath<contract> : f32
    array.yield %z : f32
  }
  func.return %zs : !array.array<[n]f32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_0(%arg0: memref<?xf32>, %arg1: f32, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: index, %arg5: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias, llvm.readonly}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n"} {
      %0 = arith.index_cast %arg5 : index to i32
      %1 = arith.index_cast %arg4 : index to i32
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
          %15 = vector.load %arg2[%12] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %16:4 = vector.to_elements %15 : vector<4xf32>
          %p = arith.mulf %arg1, %14#0 fastmath<contract> : f32
          %z = arith.addf %p, %16#0 fastmath<contract> : f32
          %p_0 = arith.mulf %arg1, %14#1 fastmath<contract> : f32
          %z_1 = arith.addf %p_0, %16#1 fastmath<contract> : f32
          %p_2 = arith.mulf %arg1, %14#2 fastmath<contract> : f32
          %z_3 = arith.addf %p_2, %16#2 fastmath<contract> : f32
          %p_4 = arith.mulf %arg1, %14#3 fastmath<contract> : f32
          %z_5 = arith.addf %p_4, %16#3 fastmath<contract> : f32
          %17 = vector.from_elements %z, %z_1, %z_3, %z_5 : vector<4xf32>
          vector.store %17, %arg3[%12] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %12 = arith.minsi %10, %0 : i32
          scf.for %arg6 = %9 to %12 step %c1_i32 : i32 {
            %13 = arith.index_castui %arg6 : i32 to index
            %14 = memref.load %arg0[%13] : memref<?xf32>
            %15 = memref.load %arg2[%13] : memref<?xf32>
            %p = arith.mulf %arg1, %14 fastmath<contract> : f32
            %z = arith.addf %p, %15 fastmath<contract> : f32
            memref.store %z, %arg3[%13] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
    gpu.func @main_segmap_0_64(%arg0: memref<?xf32>, %arg1: f32, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: index, %arg5: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {}, {llvm.noalias, llvm.readonly}, {llvm.noalias}, {}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n"} {
      %c256 = arith.constant 256 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg4 : index
      scf.if %4 {
        %5 = arith.muli %3, %c4 : index
        %6 = arith.addi %5, %c4 : index
        %7 = arith.cmpi sle, %6, %arg5 : index
        scf.if %7 {
          %8 = vector.load %arg0[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %9:4 = vector.to_elements %8 : vector<4xf32>
          %10 = vector.load %arg2[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %11:4 = vector.to_elements %10 : vector<4xf32>
          %p = arith.mulf %arg1, %9#0 fastmath<contract> : f32
          %z = arith.addf %p, %11#0 fastmath<contract> : f32
          %p_0 = arith.mulf %arg1, %9#1 fastmath<contract> : f32
          %z_1 = arith.addf %p_0, %11#1 fastmath<contract> : f32
          %p_2 = arith.mulf %arg1, %9#2 fastmath<contract> : f32
          %z_3 = arith.addf %p_2, %11#2 fastmath<contract> : f32
          %p_4 = arith.mulf %arg1, %9#3 fastmath<contract> : f32
          %z_5 = arith.addf %p_4, %11#3 fastmath<contract> : f32
          %12 = vector.from_elements %z, %z_1, %z_3, %z_5 : vector<4xf32>
          vector.store %12, %arg3[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %8 = arith.minsi %6, %arg5 : index
          scf.for %arg6 = %5 to %8 step %c1 {
            %9 = memref.load %arg0[%arg6] : memref<?xf32>
            %10 = memref.load %arg2[%arg6] : memref<?xf32>
            %p = arith.mulf %arg1, %9 fastmath<contract> : f32
            %z = arith.addf %p, %10 fastmath<contract> : f32
            memref.store %z, %arg3[%arg6] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
  }
  func.func @main(%a: f32, %xs: memref<?xf32> {array.sizes = ["n"]}, %ys: memref<?xf32> {array.sizes = ["n"]}) -> (memref<?xf32> {array.sizes = ["n"]}) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %0 = memref.dim %xs, %c0 : memref<?xf32>
    %1 = memref.dim %ys, %c0 : memref<?xf32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 0 of parameter #2 differs from dimension 0 of parameter #1"
    %3 = gpu.alloc (%0) : memref<?xf32>
    %4 = arith.addi %0, %c3 : index
    %5 = arith.divui %4, %c4 : index
    %6 = arith.addi %5, %c255 : index
    %7 = arith.divui %6, %c256 : index
    %8 = arith.cmpi sle, %7, %c2147483647 : index
    %9 = arith.subi %7, %c2147483647 : index
    %10 = check.require %8, %7 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%7, %9 : index, index)
    %11 = arith.muli %7, %c256 : index
    %12 = arith.addi %11, %c256 : index
    %13 = arith.muli %12, %c4 : index
    %14 = arith.addi %13, %c4 : index
    %15 = arith.minsi %14, %0 : index
    %16 = arith.addi %15, %c1 : index
    %17 = arith.maxui %7, %11 : index
    %18 = arith.maxui %17, %12 : index
    %19 = arith.maxui %18, %5 : index
    %20 = arith.maxui %19, %13 : index
    %21 = arith.maxui %20, %14 : index
    %22 = arith.maxui %21, %0 : index
    %23 = arith.maxui %22, %16 : index
    %24 = arith.maxui %23, %15 : index
    %25 = arith.maxui %24, %0 : index
    %26 = arith.maxui %25, %0 : index
    %27 = arith.cmpi ule, %26, %c2147483647 : index
    scf.if %27 {
      gpu.launch_func @kernels::@main_segmap_0 blocks in (%7, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf32>, %a : f32, %ys : memref<?xf32>, %3 : memref<?xf32>, %5 : index, %0 : index)
    } else {
      gpu.launch_func @kernels::@main_segmap_0_64 blocks in (%7, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf32>, %a : f32, %ys : memref<?xf32>, %3 : memref<?xf32>, %5 : index, %0 : index)
    }
    func.return %3 : memref<?xf32>
  }
}
