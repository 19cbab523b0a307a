// pass: builtin.module(flatten,func.func(vectorize,choose-mapping),lower-to-gpu)
// A map becomes one device function, its launch, and memory for its result.
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
    gpu.func @main_segmap_0(%arg0: memref<?xf32>, %arg1: f32, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: index, %arg5: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over xs.0"} {
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %c256 = arith.constant 256 : index
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg4 : index
      scf.if %4 {
        %c0 = arith.constant 0 : index
        %c0_0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %5 = arith.muli %3, %c4 : index
        %6 = arith.addi %5, %c4 : index
        %7 = arith.cmpi sle, %6, %arg5 : index
        scf.if %7 {
          %8 = vector.load %arg0[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %9:4 = vector.to_elements %8 : vector<4xf32>
          %10 = vector.load %arg2[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %11:4 = vector.to_elements %10 : vector<4xf32>
          %c0_1 = arith.constant 0 : index
          %p = arith.mulf %arg1, %9#0 fastmath<contract> : f32
          %z = arith.addf %p, %11#0 fastmath<contract> : f32
          %c1 = arith.constant 1 : index
          %12 = arith.addi %5, %c1 : index
          %p_2 = arith.mulf %arg1, %9#1 fastmath<contract> : f32
          %z_3 = arith.addf %p_2, %11#1 fastmath<contract> : f32
          %c2 = arith.constant 2 : index
          %13 = arith.addi %5, %c2 : index
          %p_4 = arith.mulf %arg1, %9#2 fastmath<contract> : f32
          %z_5 = arith.addf %p_4, %11#2 fastmath<contract> : f32
          %c3 = arith.constant 3 : index
          %14 = arith.addi %5, %c3 : index
          %p_6 = arith.mulf %arg1, %9#3 fastmath<contract> : f32
          %z_7 = arith.addf %p_6, %11#3 fastmath<contract> : f32
          %15 = vector.from_elements %z, %z_3, %z_5, %z_7 : vector<4xf32>
          vector.store %15, %arg3[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %c1 = arith.constant 1 : index
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
  func.func @main(%a: f32, %xs: memref<?xf32>, %ys: memref<?xf32>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = memref.dim %xs, %c0_0 : memref<?xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = memref.dim %ys, %c0_2 : memref<?xf32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 0 of parameter #2 differs from dimension 0 of parameter #1"
    %c1 = arith.constant 1 : index
    %3 = gpu.alloc (%0) : memref<?xf32>
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %4 = arith.addi %0, %c3 : index
    %5 = arith.divui %4, %c4 : index
    %c0_3 = arith.constant 0 : index
    %6 = memref.dim %xs, %c0_3 : memref<?xf32>
    %c0_4 = arith.constant 0 : index
    %7 = memref.dim %ys, %c0_4 : memref<?xf32>
    %c1_5 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c1_6 = arith.constant 1 : index
    %c255 = arith.constant 255 : index
    %8 = arith.addi %5, %c255 : index
    %9 = arith.divui %8, %c256 : index
    %c2147483647 = arith.constant 2147483647 : index
    %10 = arith.cmpi sle, %9, %c2147483647 : index
    %c1_7 = arith.constant 1 : index
    %c2147483647_8 = arith.constant 2147483647 : index
    %11 = arith.subi %9, %c2147483647_8 : index
    %12 = check.require %10, %9 else %c1_7 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%9, %11 : index, index)
    gpu.launch_func @kernels::@main_segmap_0 blocks in (%9, %c1_5, %c1_5) threads in (%c256, %c1_5, %c1_5) args(%xs : memref<?xf32>, %a : f32, %ys : memref<?xf32>, %3 : memref<?xf32>, %5 : index, %0 : index)
    func.return %3 : memref<?xf32>
  }
}
