// pass: builtin.module(duplicate-function-elimination{ignored=summary})
// Kernels that only differ in names and in what people are told become one; both launches name it. The third kernel
// has another constant.
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @first(%x: memref<?xf32>) kernel attributes {summary = "segmap over n"} {
      %i = gpu.thread_id x
      %c = arith.constant 1.0 : f32
      memref.store %c, %x[%i] : memref<?xf32>
      gpu.return
    }
    gpu.func @second(%y: memref<?xf32>) kernel attributes {summary = "segmap over m"} {
      %j = gpu.thread_id x
      %d = arith.constant 1.0 : f32
      memref.store %d, %y[%j] : memref<?xf32>
      gpu.return
    }
    gpu.func @third(%y: memref<?xf32>) kernel attributes {summary = "segmap over m"} {
      %j = gpu.thread_id x
      %d = arith.constant 2.0 : f32
      memref.store %d, %y[%j] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<?xf32>)
    gpu.launch_func @kernels::@third blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<?xf32>)
    func.return
  }
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @first(%x: memref<?xf32>) kernel attributes {summary = "segmap over n"} {
      %i = gpu.thread_id x
      %c = arith.constant 1.000000e+00 : f32
      memref.store %c, %x[%i] : memref<?xf32>
      gpu.return
    }
    gpu.func @third(%y: memref<?xf32>) kernel attributes {summary = "segmap over m"} {
      %j = gpu.thread_id x
      %d = arith.constant 2.000000e+00 : f32
      memref.store %d, %y[%j] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<?xf32>)
    gpu.launch_func @kernels::@third blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<?xf32>)
    func.return
  }
}
