// pass: builtin.module(kernel-to-gpu)
// A nest of values becomes a kernel and its launch; a choice between versions stays with the host.
func.func @main(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %large = kernel.at_least %n, "main.top.0" default 32768
  %r = scf.if %large -> (tensor<?xf32>) {
    %a = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
      %x = kernel.read %xs[%i] : tensor<?xf32>
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
    gpu.func @main_segmap_0(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias}, {}], known_block_size = array<i32: 256, 1, 1>, mapping = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))", summary = "segmap at level thread over ?"} {
      %c256 = arith.constant 256 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c256 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %arg2 : index
      scf.if %4 {
        %x = memref.load %arg0[%3] : memref<?xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %arg1[%3] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xf32>, %n: index) -> memref<?xf32> {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c255 = arith.constant 255 : index
    %c2147483647 = arith.constant 2147483647 : index
    %large = kernel.at_least %n, "main.top.0" default 32768
    %r = scf.if %large -> (memref<?xf32>) {
      %0 = gpu.alloc (%n) : memref<?xf32>
      %1 = arith.addi %n, %c255 : index
      %2 = arith.divui %1, %c256 : index
      %3 = arith.cmpi sle, %2, %c2147483647 : index
      cf.assert %3, "the launch is larger than the hardware allows"
      gpu.launch_func @kernels::@main_segmap_0 blocks in (%2, %c1, %c1) threads in (%c256, %c1, %c1) args(%xs : memref<?xf32>, %0 : memref<?xf32>, %n : index)
      scf.yield %0 : memref<?xf32>
    } else {
      scf.yield %xs : memref<?xf32>
    }
    func.return %r : memref<?xf32>
  }
}
