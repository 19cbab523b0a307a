// pass: builtin.module(array-to-kernel-one,func.func(vectorize),func.func(choose-mapping{strategy="columns(32,128)"}),lower-to-gpu{checks=off},canonicalize,cse,dce)
// A stencil as one kernel: a thread per element, its place by columns of 32, neighbours clamped to the edges (listings 3 and 6 of
// the column thesis).
func.func @main(%xs: !array.array<[h][w]f32>, %reach: index) -> !array.array<[h][w]f32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = array.dim %xs, 0 : [h][w]f32
  %w = array.dim %xs, 1 : [h][w]f32
  %bottom = arith.subi %h, %c1 : index
  %right = arith.subi %w, %c1 : index
  %twice = arith.addi %reach, %reach : index
  %side = arith.addi %twice, %c1 : index
  %area = arith.muli %side, %side : index
  %area_i = arith.index_cast %area : index to i64
  %area_f = arith.sitofp %area_i : i64 to f32
  %ys = array.iota %h : [h]index
  %is = array.iota %w : [w]index
  %blurred = array.map (%y in %ys : [h]index) {
    %row = array.map (%x in %is : [w]index) {
      %sum = scf.for %i = %c0 to %side step %c1 iter_args(%outer = %zero) -> (f32) {
        %down = arith.addi %y, %i : index
        %up = arith.subi %down, %reach : index
        %below = arith.maxsi %up, %c0 : index
        %v = arith.minsi %below, %bottom : index
        %line = scf.for %j = %c0 to %side step %c1 iter_args(%inner = %outer) -> (f32) {
          %along = arith.addi %x, %j : index
          %back = arith.subi %along, %reach : index
          %after = arith.maxsi %back, %c0 : index
          %u = arith.minsi %after, %right : index
          %value = array.index %xs[%v, %u] : [h][w]f32
          %next = arith.addf %inner, %value : f32
          scf.yield %next : f32
        }
        scf.yield %line : f32
      }
      %mean = arith.divf %sum, %area_f : f32
      array.yield %mean : f32
    }
    array.yield %row : [w]f32
  }
  func.return %blurred : !array.array<[h][w]f32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_0(%arg0: index, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: memref<?xf32>, %arg7: index, %arg8: f32, %arg9: memref<?xf32>, %arg10: index, %arg11: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>, mapping = "GridBlock(1, SplitLast(128, Column(32, ShiftLB(Gen))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over h x w"} {
      %cst = arith.constant 0.000000e+00 : f32
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c128 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg10 : index
      %5 = arith.divui %3, %arg11 : index
      %6 = arith.remui %3, %arg11 : index
      %7 = arith.muli %5, %c32 : index
      %8 = arith.subi %arg5, %7 : index
      %9 = arith.minsi %8, %c32 : index
      %10 = arith.maxsi %9, %c1 : index
      %11 = arith.divui %6, %10 : index
      %12 = arith.remui %6, %10 : index
      %13 = arith.addi %7, %12 : index
      scf.if %4 {
        %sum = scf.for %i = %c0 to %arg0 step %c1 iter_args(%outer = %cst) -> (f32) {
          %down = arith.addi %11, %i : index
          %up = arith.subi %down, %arg1 : index
          %below = arith.maxsi %up, %c0 : index
          %v = arith.minsi %below, %arg2 : index
          %line = scf.for %j = %c0 to %arg0 step %c1 iter_args(%inner = %outer) -> (f32) {
            %along = arith.addi %13, %j : index
            %back = arith.subi %along, %arg1 : index
            %after = arith.maxsi %back, %c0 : index
            %u = arith.minsi %after, %arg3 : index
            %16 = arith.cmpi ult, %v, %arg4 : index
            %17 = check.require %16, %v else %c0 : index, index, "'array.index' op index {0} is out of range for dimension 0 of [h][w]f32, which has {1}"(%v, %arg4 : index, index)
            %18 = arith.cmpi ult, %u, %arg5 : index
            %19 = check.require %18, %u else %c0 : index, index, "'array.index' op index {0} is out of range for dimension 1 of [h][w]f32, which has {1}"(%u, %arg5 : index, index)
            %20 = arith.muli %17, %arg7 : index
            %21 = arith.addi %20, %19 : index
            %22 = memref.load %arg6[%21] : memref<?xf32>
            %next = arith.addf %inner, %22 : f32
            scf.yield %next : f32
          }
          scf.yield %line : f32
        }
        %mean = arith.divf %sum, %arg8 : f32
        %14 = arith.muli %11, %arg5 : index
        %15 = arith.addi %14, %13 : index
        memref.store %mean, %arg9[%15] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @main(%xs: memref<?x?xf32> {array.sizes = ["h", "w"]}, %reach: index) -> (memref<?x?xf32> {array.sizes = ["h", "w"]}) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c127 = arith.constant 127 : index
    %c2147483647 = arith.constant 2147483647 : index
    %0 = memref.dim %xs, %c0 : memref<?x?xf32>
    %1 = memref.dim %xs, %c1 : memref<?x?xf32>
    %bottom = arith.subi %0, %c1 : index
    %right = arith.subi %1, %c1 : index
    %twice = arith.addi %reach, %reach : index
    %side = arith.addi %twice, %c1 : index
    %area = arith.muli %side, %side : index
    %area_i = arith.index_cast %area : index to i64
    %area_f = arith.sitofp %area_i : i64 to f32
    %2 = arith.muli %0, %1 : index
    %3 = gpu.alloc (%2) : memref<?xf32>
    %4 = memref.reinterpret_cast %xs to offset: [0], sizes: [%2], strides: [1] : memref<?x?xf32> to memref<?xf32>
    %5 = arith.muli %0, %c32 : index
    %6 = arith.addi %2, %c127 : index
    %7 = arith.divui %6, %c128 : index
    %8 = arith.cmpi sle, %7, %c2147483647 : index
    %9 = arith.subi %7, %c2147483647 : index
    %10 = check.require %8, %7 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%7, %9 : index, index)
    gpu.launch_func @kernels::@main_segmap_0 blocks in (%7, %c1, %c1) threads in (%c128, %c1, %c1) args(%side : index, %reach : index, %bottom : index, %right : index, %0 : index, %1 : index, %4 : memref<?xf32>, %1 : index, %area_f : f32, %3 : memref<?xf32>, %2 : index, %5 : index)
    %11 = memref.reinterpret_cast %3 to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
    func.return %11 : memref<?x?xf32>
  }
}
