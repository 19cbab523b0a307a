// pass: builtin.module(array-to-kernel-one,func.func(vectorize),func.func(choose-mapping{strategy="columns(32,128)"}),lower-to-gpu{checks=off},canonicalize,cse,dce)
// The naive product as one kernel: a thread per element of the result, which adds along a row and a column (listing 4 of the column
// thesis), its place by columns of 32.
func.func @main(%a: !array.array<[n][k]f32>, %b: !array.array<[k][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %c = array.map (%row in %a : [n][k]f32) {
    %r = array.map (%column in %bt : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map {
        %p = arith.mulf %x, %y fastmath<contract> : f32
        array.yield %p : f32
      } combine (%s, %t) {
        %u = arith.addf %s, %t fastmath<contract> : f32
        array.yield %u : f32
      }
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  }
  func.return %c : !array.array<[n][m]f32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_0(%arg0: index, %arg1: memref<?xf32>, %arg2: index, %arg3: memref<?xf32>, %arg4: index, %arg5: memref<?xf32>, %arg6: index, %arg7: index, %arg8: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>, mapping = "GridBlock(1, SplitLast(128, Column(32, ShiftLB(Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over n x m"} {
      %cst = arith.constant 0.000000e+00 : f32
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c128 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg6 : index
      %5 = arith.divui %3, %arg7 : index
      %6 = arith.remui %3, %arg7 : index
      %7 = arith.muli %5, %c32 : index
      %8 = arith.subi %arg8, %7 : index
      %9 = arith.minsi %8, %c32 : index
      %10 = arith.maxsi %9, %c1 : index
      %11 = arith.divui %6, %10 : index
      %12 = arith.remui %6, %10 : index
      %13 = arith.addi %7, %12 : index
      scf.if %4 {
        %dot = scf.for %arg9 = %c0 to %arg0 step %c1 iter_args(%s = %cst) -> (f32) {
          %16 = arith.muli %11, %arg2 : index
          %17 = arith.addi %16, %arg9 : index
          %18 = memref.load %arg1[%17] : memref<?xf32>
          %19 = arith.muli %arg9, %arg4 : index
          %20 = arith.addi %19, %13 : index
          %21 = memref.load %arg3[%20] : memref<?xf32>
          %t = arith.mulf %18, %21 fastmath<contract> : f32
          %u = arith.addf %s, %t fastmath<contract> : f32
          scf.yield %u : f32
        }
        %14 = arith.muli %11, %arg8 : index
        %15 = arith.addi %14, %13 : index
        memref.store %dot, %arg5[%15] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @main(%a: memref<?x?xf32> {array.sizes = ["n", "k"]}, %b: memref<?x?xf32> {array.sizes = ["k", "m"]}) -> (memref<?x?xf32> {array.sizes = ["n", "m"]}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c127 = arith.constant 127 : index
    %c2147483647 = arith.constant 2147483647 : index
    %0 = memref.dim %a, %c0 : memref<?x?xf32>
    %1 = memref.dim %a, %c1 : memref<?x?xf32>
    %2 = memref.dim %b, %c0 : memref<?x?xf32>
    %3 = memref.dim %b, %c1 : memref<?x?xf32>
    %4 = arith.cmpi eq, %1, %2 : index
    cf.assert %4, "size `k`: dimension 0 of parameter #1 differs from dimension 1 of parameter #0"
    %5 = arith.muli %0, %3 : index
    %6 = gpu.alloc (%5) : memref<?xf32>
    %7 = arith.muli %0, %1 : index
    %8 = memref.reinterpret_cast %a to offset: [0], sizes: [%7], strides: [1] : memref<?x?xf32> to memref<?xf32>
    %9 = arith.muli %1, %3 : index
    %10 = memref.reinterpret_cast %b to offset: [0], sizes: [%9], strides: [1] : memref<?x?xf32> to memref<?xf32>
    %11 = arith.muli %0, %c32 : index
    %12 = arith.addi %5, %c127 : index
    %13 = arith.divui %12, %c128 : index
    %14 = arith.cmpi sle, %13, %c2147483647 : index
    %15 = arith.subi %13, %c2147483647 : index
    %16 = check.require %14, %13 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%13, %15 : index, index)
    gpu.launch_func @kernels::@main_segmap_0 blocks in (%13, %c1, %c1) threads in (%c128, %c1, %c1) args(%1 : index, %8 : memref<?xf32>, %1 : index, %10 : memref<?xf32>, %3 : index, %6 : memref<?xf32>, %5 : index, %11 : index, %3 : index)
    %17 = memref.reinterpret_cast %6 to offset: [0], sizes: [%0, %3], strides: [%3, 1] : memref<?xf32> to memref<?x?xf32>
    func.return %17 : memref<?x?xf32>
  }
}
