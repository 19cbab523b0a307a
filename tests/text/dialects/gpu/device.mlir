// round-trip
// A kernel with a shared buffer, ids, a barrier and a shuffle; the host that allocates, copies, launches and frees.
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%xs: memref<?xf32>, %n: index, %inside: i1) workgroup(%shared: memref<32xf32, 3>) kernel {
      %t = gpu.thread_id x
      %b = gpu.block_id y
      %d = gpu.block_dim z
      %g = gpu.grid_dim x
      %x = memref.load %xs[%t] : memref<?xf32>
      memref.store %x, %shared[%t] : memref<32xf32, 3>
      gpu.barrier
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      gpu.check %inside, "index {0} is out of range for size {1}"(%t, %n : index, index)
      %other, %valid = gpu.shuffle xor %x, %one, %width : f32
      gpu.return
    }
  }
  func.func @main(%n: index, %c1: index) {
    %xs = gpu.alloc (%n) : memref<?xf32>
    %ys = gpu.alloc (%n) : memref<?xf32>
    %zero = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    gpu.memset %ys, %zero : memref<?xf32>, f32
    gpu.memcpy %ys, %xs : memref<?xf32>, memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%xs : memref<?xf32>, %n : index, %true : i1)
    gpu.dealloc %xs : memref<?xf32>
    gpu.dealloc %ys : memref<?xf32>
    func.return
  }
}
