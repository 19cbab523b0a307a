// pass: builtin.module(flatten,lower-to-gpu)
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
    gpu.func @main_segmap_0(%arg0: memref<?xf32>, %arg1: f32, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", summary = "segmap at level thread over xs.0"} {
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %c256 = arith.constant 256 : index
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg4 : index
      scf.if %4 {
        %5 = memref.load %arg0[%3] : memref<?xf32>
        %p = arith.mulf %arg1, %5 fastmath<contract> : f32
        %6 = memref.load %arg2[%3] : memref<?xf32>
        %z = arith.addf %p, %6 fastmath<contract> : f32
        memref.store %z, %arg3[%3] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @main(%a: f32, %xs: memref<?xf32>, %ys: memref<?xf32>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %0 = memref.dim %xs, %c0 : memref<?xf32>
    %c0_0 = arith.constant 0 : index
    %1 = memref.dim %ys, %c0_0 : memref<?xf32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "size `n`: dimension 0 of parameter #2 differs from dimension 0 of parameter #1"
    %3 = gpu.alloc (%0) : memref<?xf32>
    %c0_1 = arith.constant 0 : index
    %4 = memref.dim %xs, %c0_1 : memref<?xf32>
    %c0_2 = arith.constant 0 : index
    %5 = memref.dim %ys, %c0_2 : memref<?xf32>
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c1_3 = arith.constant 1 : index
    %6 = arith.subi %c256, %c1_3 : index
    %7 = arith.addi %0, %6 : index
    %8 = arith.divui %7, %c256 : index
    %c2147483647 = arith.constant 2147483647 : index
    %9 = arith.cmpi sle, %8, %c2147483647 : index
    cf.assert %9, "the launch is larger than the hardware allows"
    gpu.launch_func @kernels::@main_segmap_0 blocks in (%8, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf32>, %a : f32, %ys : memref<?xf32>, %3 : memref<?xf32>, %0 : index)
    func.return %3 : memref<?xf32>
  }
}
