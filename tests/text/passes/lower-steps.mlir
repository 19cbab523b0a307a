// pass: builtin.module(lower-to-gpu,canonicalize,cse,dce)
// Steps of a thread: two neighbours are copies of the body with a guard each; a grid-stride loop has its guard inside, and
// what does not differ between steps before it. The host passes how many steps there are.
func.func @neighbours(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xi32>
  %r = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, Serial(1, Split(0, 64, SplitLast(2, ShiftLB(Gen)))))> -> (tensor<?xi32>) {
    %x = tensor.extract %xs[%i] : tensor<?xi32>
    %y = arith.addi %x, %x : i32
    kernel.return %y : i32
  }
  func.return %r : tensor<?xi32>
}
func.func @strides(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xi32>
  %r = kernel.segmap thread (%i < %n) mapping #kernel.mapping<GridBlock(1, Serial(1, Split(0, 64, Stride(0, 128, ShiftLB(Gen)))))> -> (tensor<?xi32>) {
    %x = tensor.extract %xs[%i] : tensor<?xi32>
    %y = arith.addi %x, %x : i32
    kernel.return %y : i32
  }
  func.return %r : tensor<?xi32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @neighbours_segmap_0(%arg0: memref<?xi32>, %arg1: memref<?xi32>, %arg2: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>, mapping = "GridBlock(1, Serial(1, Split(0, 64, SplitLast(2, ShiftLB(Gen)))))", summary = "segmap at level thread over xs.0"} {
      %c2 = arith.constant 2 : index
      %c64 = arith.constant 64 : index
      %c1 = arith.constant 1 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c64 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.muli %3, %c2 : index
      %5 = arith.cmpi slt, %4, %arg2 : index
      scf.if %5 {
        %x = memref.load %arg0[%4] : memref<?xi32>
        %y = arith.addi %x, %x : i32
        memref.store %y, %arg1[%4] : memref<?xi32>
      }
      %6 = arith.addi %4, %c1 : index
      %7 = arith.cmpi slt, %6, %arg2 : index
      scf.if %7 {
        %x = memref.load %arg0[%6] : memref<?xi32>
        %y = arith.addi %x, %x : i32
        memref.store %y, %arg1[%6] : memref<?xi32>
      }
      gpu.return
    }
    gpu.func @strides_segmap_1(%arg0: memref<?xi32>, %arg1: memref<?xi32>, %arg2: index, %arg3: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>, mapping = "GridBlock(1, Serial(1, Split(0, 64, Stride(0, 128, ShiftLB(Gen)))))", nvvm.minctasm = 1 : i32, summary = "segmap at level thread over xs.0"} {
      %c128 = arith.constant 128 : index
      %c64 = arith.constant 64 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c64 : index
      %3 = arith.addi %2, %1 : index
      scf.for %arg4 = %c0 to %arg3 step %c1 {
        %4 = arith.muli %arg4, %c128 : index
        %5 = arith.addi %4, %3 : index
        %6 = arith.cmpi slt, %5, %arg2 : index
        scf.if %6 {
          %x = memref.load %arg0[%5] : memref<?xi32>
          %y = arith.addi %x, %x : i32
          memref.store %y, %arg1[%5] : memref<?xi32>
        }
      }
      gpu.return
    }
  }
  func.func @neighbours(%xs: memref<?xi32>) -> memref<?xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c63 = arith.constant 63 : index
    %c2147483647 = arith.constant 2147483647 : index
    %0 = memref.dim %xs, %c0 : memref<?xi32>
    %1 = gpu.alloc (%0) : memref<?xi32>
    %2 = arith.addi %0, %c1 : index
    %3 = arith.divui %2, %c2 : index
    %4 = arith.addi %3, %c63 : index
    %5 = arith.divui %4, %c64 : index
    %6 = arith.cmpi sle, %5, %c2147483647 : index
    %7 = arith.subi %5, %c2147483647 : index
    %8 = check.require %6, %5 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%5, %7 : index, index)
    gpu.launch_func @kernels::@neighbours_segmap_0 blocks in (%5, %c1, %c1) threads in (%c64, %c1, %c1) args(%xs : memref<?xi32>, %1 : memref<?xi32>, %0 : index)
    func.return %1 : memref<?xi32>
  }
  func.func @strides(%xs: memref<?xi32>) -> memref<?xi32> {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c127 = arith.constant 127 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c2 = arith.constant 2 : index
    %0 = memref.dim %xs, %c0 : memref<?xi32>
    %1 = gpu.alloc (%0) : memref<?xi32>
    %2 = arith.addi %0, %c127 : index
    %3 = arith.divui %2, %c128 : index
    gpu.launch_func @kernels::@strides_segmap_1 blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%xs : memref<?xi32>, %1 : memref<?xi32>, %0 : index, %3 : index)
    func.return %1 : memref<?xi32>
  }
}
