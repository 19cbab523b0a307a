// pass: builtin.module(annotate-kernels,narrow-indices,canonicalize,cse,dce)
// A copy to shared memory reads its source only, and takes both indices, not the number of elements, in 32 bits.
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %s = gpu.shared_array %c0, %n : memref<?xf32, #gpu.address_space<workgroup>>
      %i = arith.muli %t, %c4 : index
      %left = arith.subi %n, %i : index
      %tok = nvgpu.device_async_copy %x[%i], %s[%i], 4, %left {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %tok
      nvgpu.device_async_wait %g
      gpu.barrier
      %w = memref.load %s[%t] : memref<?xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%t] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%n: index, %bytes: i32) -> memref<?xf32> {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %x = gpu.alloc (%n) : memref<?xf32>
    %y = gpu.alloc (%c64) : memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<?xf32>, %y : memref<?xf32>, %n : index)
    func.return %y : memref<?xf32>
  }
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias}, {}], known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4_i32 = arith.constant 4 : i32
      %t = gpu.thread_id x
      %0 = arith.index_cast %t : index to i32
      %s = gpu.shared_array %c0, %n : memref<?xf32, #gpu.address_space<workgroup>>
      %1 = arith.muli %0, %c4_i32 overflow<nsw, nuw> : i32
      %2 = arith.index_cast %1 : i32 to index
      %left = arith.subi %n, %2 : index
      %3 = arith.index_castui %1 : i32 to index
      %tok = nvgpu.device_async_copy %x[%3], %s[%3], 4, %left {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %tok
      nvgpu.device_async_wait %g
      gpu.barrier
      %4 = arith.index_castui %0 : i32 to index
      %w = memref.load %s[%4] : memref<?xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%4] : memref<?xf32>
      gpu.return
    }
    gpu.func @k_64(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias}, {}], known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %s = gpu.shared_array %c0, %n : memref<?xf32, #gpu.address_space<workgroup>>
      %i = arith.muli %t, %c4 : index
      %left = arith.subi %n, %i : index
      %tok = nvgpu.device_async_copy %x[%i], %s[%i], 4, %left {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %tok
      nvgpu.device_async_wait %g
      gpu.barrier
      %w = memref.load %s[%t] : memref<?xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%t] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%n: index, %bytes: i32) -> memref<?xf32> {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c2147483647 = arith.constant 2147483647 : index
    %x = gpu.alloc (%n) : memref<?xf32>
    %y = gpu.alloc (%c64) : memref<?xf32>
    %0 = arith.cmpi ule, %n, %c2147483647 : index
    scf.if %0 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<?xf32>, %y : memref<?xf32>, %n : index)
    } else {
      gpu.launch_func @kernels::@k_64 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<?xf32>, %y : memref<?xf32>, %n : index)
    }
    func.return %y : memref<?xf32>
  }
}
