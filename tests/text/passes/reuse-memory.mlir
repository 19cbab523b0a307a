// pass: builtin.module(reuse-memory)
// Memory that is free goes to the next buffer of its type that is provably no larger: of the same size, or of fewer
// multiples of it, or at most as large. One that may be larger, or has other elements, gets its own.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<?xf32>) kernel {
      gpu.return
    }
    gpu.func @l(%x: memref<?xi32>) kernel {
      gpu.return
    }
  }
  func.func @main(%n: index, %m: index, %g: index) {
    %two = arith.constant 2 : index
    %twice = arith.muli %n, %two : index
    %least = arith.minsi %m, %twice : index
    %a = gpu.alloc (%twice) : memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%a : memref<?xf32>)
    gpu.dealloc %a : memref<?xf32>
    %b = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%b : memref<?xf32>)
    gpu.dealloc %b : memref<?xf32>
    %c = gpu.alloc (%least) : memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%c : memref<?xf32>)
    gpu.dealloc %c : memref<?xf32>
    %d = gpu.alloc (%m) : memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%d : memref<?xf32>)
    gpu.dealloc %d : memref<?xf32>
    %e = gpu.alloc (%n) : memref<?xi32>
    gpu.launch_func @kernels::@l blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%e : memref<?xi32>)
    gpu.dealloc %e : memref<?xi32>
    func.return
  }
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<?xf32>) kernel {
      gpu.return
    }
    gpu.func @l(%x: memref<?xi32>) kernel {
      gpu.return
    }
  }
  func.func @main(%n: index, %m: index, %g: index) {
    %two = arith.constant 2 : index
    %twice = arith.muli %n, %two : index
    %least = arith.minsi %m, %twice : index
    %a = gpu.alloc (%twice) : memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%a : memref<?xf32>)
    %0 = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%0 : memref<?xf32>)
    %1 = memref.reinterpret_cast %a to offset: [0], sizes: [%least], strides: [1] : memref<?xf32> to memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%1 : memref<?xf32>)
    gpu.dealloc %1 : memref<?xf32>
    %d = gpu.alloc (%m) : memref<?xf32>
    gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%d : memref<?xf32>)
    gpu.dealloc %d : memref<?xf32>
    %e = gpu.alloc (%n) : memref<?xi32>
    gpu.launch_func @kernels::@l blocks in (%g, %g, %g) threads in (%g, %g, %g) args(%e : memref<?xi32>)
    gpu.dealloc %e : memref<?xi32>
    func.return
  }
}
