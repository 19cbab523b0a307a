// pass: builtin.module(func.func(choose-forms,vectorize,choose-mapping),lower-to-gpu,canonicalize,cse,dce)
// Nine segments of three elements at a point: of 60 thread blocks each has eight warps for them, of 4096 one for all, as 27 threads have an element.
func.func @main(%a: tensor<27xi32>) -> (tensor<60x9xi32>, tensor<4096x9xi32>) {
  %zero = arith.constant 0 : i32
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c60 = arith.constant 60 : index
  %c4096 = arith.constant 4096 : index
  %few = kernel.segmap block (%i < %c60) -> (tensor<60x9xi32>) {
    %s = kernel.segred thread (%x < %c9, %y < %c3) init (%zero : i32) -> (tensor<9xi32>) {
      %p = arith.muli %x, %c3 : index
      %q = arith.addi %p, %y : index
      %e = tensor.extract %a[%q] : tensor<27xi32>
      kernel.return %e : i32
    } combine (%u, %v) {
      %w = arith.addi %u, %v : i32
      kernel.return %w : i32
    }
    kernel.return %s : tensor<9xi32>
  }
  %many = kernel.segmap block (%i < %c4096) -> (tensor<4096x9xi32>) {
    %s = kernel.segred thread (%x < %c9, %y < %c3) init (%zero : i32) -> (tensor<9xi32>) {
      %p = arith.muli %x, %c3 : index
      %q = arith.addi %p, %y : index
      %e = tensor.extract %a[%q] : tensor<27xi32>
      kernel.return %e : i32
    } combine (%u, %v) {
      %w = arith.addi %u, %v : i32
      kernel.return %w : i32
    }
    kernel.return %s : tensor<9xi32>
  }
  func.return %few, %many : tensor<60x9xi32>, tensor<4096x9xi32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_segmap_block_0(%arg0: memref<?xi32>, %arg1: index, %arg2: memref<?xi32>) kernel attributes {mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over 60"} {
      %c0_i32 = arith.constant 0 : i32
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %c9 = arith.constant 9 : index
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c2_i32 = arith.constant 2 : i32
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %c16_i32 = arith.constant 16 : i32
      %c0 = arith.constant 0 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.divui %1, %c32 : index
      %3 = arith.remui %1, %c32 : index
      %4 = arith.divui %arg1, %c32 : index
      %5 = arith.muli %0, %c9 : index
      scf.for %arg3 = %2 to %c9 step %4 {
        %6 = scf.for %arg4 = %3 to %c3 step %c32 iter_args(%arg5 = %c0_i32) -> (i32) {
          %p = arith.muli %arg3, %c3 : index
          %q = arith.addi %p, %arg4 : index
          %e = memref.load %arg0[%q] : memref<?xi32>
          %w_4 = arith.addi %arg5, %e : i32
          scf.yield %w_4 : i32
        }
        %7:2 = gpu.shuffle down %6, %c1_i32, %c32_i32 : i32
        %w = arith.addi %6, %7#0 : i32
        %8:2 = gpu.shuffle down %w, %c2_i32, %c32_i32 : i32
        %w_0 = arith.addi %w, %8#0 : i32
        %9:2 = gpu.shuffle down %w_0, %c4_i32, %c32_i32 : i32
        %w_1 = arith.addi %w_0, %9#0 : i32
        %10:2 = gpu.shuffle down %w_1, %c8_i32, %c32_i32 : i32
        %w_2 = arith.addi %w_1, %10#0 : i32
        %11:2 = gpu.shuffle down %w_2, %c16_i32, %c32_i32 : i32
        %w_3 = arith.addi %w_2, %11#0 : i32
        %12 = arith.cmpi eq, %3, %c0 : index
        scf.if %12 {
          %13 = arith.addi %5, %arg3 : index
          memref.store %w_3, %arg2[%13] : memref<?xi32>
        }
      }
      gpu.barrier
      gpu.return
    }
    gpu.func @main_segmap_block_1(%arg0: memref<?xi32>, %arg1: index, %arg2: memref<?xi32>) kernel attributes {mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over 4096"} {
      %c0_i32 = arith.constant 0 : i32
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %c9 = arith.constant 9 : index
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c2_i32 = arith.constant 2 : i32
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %c16_i32 = arith.constant 16 : i32
      %c0 = arith.constant 0 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.divui %1, %c32 : index
      %3 = arith.remui %1, %c32 : index
      %4 = arith.divui %arg1, %c32 : index
      %5 = arith.muli %0, %c9 : index
      scf.for %arg3 = %2 to %c9 step %4 {
        %6 = scf.for %arg4 = %3 to %c3 step %c32 iter_args(%arg5 = %c0_i32) -> (i32) {
          %p = arith.muli %arg3, %c3 : index
          %q = arith.addi %p, %arg4 : index
          %e = memref.load %arg0[%q] : memref<?xi32>
          %w_4 = arith.addi %arg5, %e : i32
          scf.yield %w_4 : i32
        }
        %7:2 = gpu.shuffle down %6, %c1_i32, %c32_i32 : i32
        %w = arith.addi %6, %7#0 : i32
        %8:2 = gpu.shuffle down %w, %c2_i32, %c32_i32 : i32
        %w_0 = arith.addi %w, %8#0 : i32
        %9:2 = gpu.shuffle down %w_0, %c4_i32, %c32_i32 : i32
        %w_1 = arith.addi %w_0, %9#0 : i32
        %10:2 = gpu.shuffle down %w_1, %c8_i32, %c32_i32 : i32
        %w_2 = arith.addi %w_1, %10#0 : i32
        %11:2 = gpu.shuffle down %w_2, %c16_i32, %c32_i32 : i32
        %w_3 = arith.addi %w_2, %11#0 : i32
        %12 = arith.cmpi eq, %3, %c0 : index
        scf.if %12 {
          %13 = arith.addi %5, %arg3 : index
          memref.store %w_3, %arg2[%13] : memref<?xi32>
        }
      }
      gpu.barrier
      gpu.return
    }
  }
  func.func @main(%a: memref<27xi32>) -> (memref<60x9xi32>, memref<4096x9xi32>) {
    %c60 = arith.constant 60 : index
    %c4096 = arith.constant 4096 : index
    %c256 = arith.constant 256 : index
    %c540 = arith.constant 540 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c36864 = arith.constant 36864 : index
    %0 = memref.reinterpret_cast %a to offset: [0], sizes: [27], strides: [1] : memref<27xi32> to memref<27xi32, strided<[1]>>
    %1 = memref.cast %0 : memref<27xi32, strided<[1]>> to memref<?xi32>
    %2 = gpu.alloc (%c540) : memref<?xi32>
    gpu.launch_func @kernels::@main_segmap_block_0 blocks in (%c60, %c1, %c1) threads in (%c256, %c1, %c1) args(%1 : memref<?xi32>, %c256 : index, %2 : memref<?xi32>)
    %3 = memref.reinterpret_cast %2 to offset: [0], sizes: [60, 9], strides: [9, 1] : memref<?xi32> to memref<60x9xi32>
    %4 = gpu.alloc (%c36864) : memref<?xi32>
    gpu.launch_func @kernels::@main_segmap_block_1 blocks in (%c4096, %c1, %c1) threads in (%c32, %c1, %c1) args(%1 : memref<?xi32>, %c32 : index, %4 : memref<?xi32>)
    %5 = memref.reinterpret_cast %4 to offset: [0], sizes: [4096, 9], strides: [9, 1] : memref<?xi32> to memref<4096x9xi32>
    func.return %3, %5 : memref<60x9xi32>, memref<4096x9xi32>
  }
}
