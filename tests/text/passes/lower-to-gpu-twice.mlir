// pass: builtin.module(array-to-kernel-one,func.func(vectorize,choose-mapping{strategy=jing}),lower-to-gpu,func.func(choose-mapping),lower-to-gpu)

// Kernels of a second run go to the module of the first; what runs in between may have left work for it.
func.func @double(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %ys = array.map (%x in %xs : [n]f32) {
    %d = arith.addf %x, %x : f32
    array.yield %d : f32
  }
  func.return %ys : !array.array<[n]f32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @double_segmap_0(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>, mapping = "GridBlock(1, SplitLast(32, ShiftLB(Gen)))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n"} {
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %c32 = arith.constant 32 : index
      %2 = arith.muli %0, %c32 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg2 : index
      scf.if %4 {
        %c0 = arith.constant 0 : index
        %c0_0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %5 = arith.muli %3, %c4 : index
        %6 = arith.addi %5, %c4 : index
        %7 = arith.cmpi sle, %6, %arg3 : index
        scf.if %7 {
          %8 = vector.load %arg0[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
          %9:4 = vector.to_elements %8 : vector<4xf32>
          %c0_1 = arith.constant 0 : index
          %d = arith.addf %9#0, %9#0 : f32
          %c1 = arith.constant 1 : index
          %10 = arith.addi %5, %c1 : index
          %d_2 = arith.addf %9#1, %9#1 : f32
          %c2 = arith.constant 2 : index
          %11 = arith.addi %5, %c2 : index
          %d_3 = arith.addf %9#2, %9#2 : f32
          %c3 = arith.constant 3 : index
          %12 = arith.addi %5, %c3 : index
          %d_4 = arith.addf %9#3, %9#3 : f32
          %13 = vector.from_elements %d, %d_2, %d_3, %d_4 : vector<4xf32>
          vector.store %13, %arg1[%5] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        } else {
          %c1 = arith.constant 1 : index
          %8 = arith.minsi %6, %arg3 : index
          scf.for %arg4 = %5 to %8 step %c1 {
            %9 = memref.load %arg0[%arg4] : memref<?xf32>
            %d = arith.addf %9, %9 : f32
            memref.store %d, %arg1[%arg4] : memref<?xf32>
          }
        }
      }
      gpu.return
    }
  }
  func.func @double(%xs: memref<?xf32> {array.sizes = ["n"]}) -> (memref<?xf32> {array.sizes = ["n"]}) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = memref.dim %xs, %c0_0 : memref<?xf32>
    %c1 = arith.constant 1 : index
    %1 = gpu.alloc (%0) : memref<?xf32>
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %2 = arith.addi %0, %c3 : index
    %3 = arith.divui %2, %c4 : index
    %c0_1 = arith.constant 0 : index
    %4 = memref.dim %xs, %c0_1 : memref<?xf32>
    %c1_2 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c1_3 = arith.constant 1 : index
    %c31 = arith.constant 31 : index
    %5 = arith.addi %3, %c31 : index
    %6 = arith.divui %5, %c32 : index
    %c2147483647 = arith.constant 2147483647 : index
    %7 = arith.cmpi sle, %6, %c2147483647 : index
    %c1_4 = arith.constant 1 : index
    %c2147483647_5 = arith.constant 2147483647 : index
    %8 = arith.subi %6, %c2147483647_5 : index
    %9 = check.require %7, %6 else %c1_4 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%6, %8 : index, index)
    gpu.launch_func @kernels::@double_segmap_0 blocks in (%6, %c1_2, %c1_2) threads in (%c32, %c1_2, %c1_2) args(%xs : memref<?xf32>, %1 : memref<?xf32>, %3 : index, %0 : index)
    func.return %1 : memref<?xf32>
  }
}
