// pass: builtin.module(annotate-kernels,hint-loads)
// Loads of elements that a kernel reads once leave the caches to what it reads again.
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    // A matrix by a vector, a block to a row: rows once, in turns of a block's threads; the vector by all blocks.
    gpu.func @rows(%a: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %m: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %zero = arith.constant 0.0 : f32
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %sum = scf.for %k = %t to %m step %c256 iter_args(%s = %zero) -> (f32) {
        %row = arith.muli %b, %m : index
        %i = arith.addi %row, %k : index
        %e = memref.load %a[%i] : memref<?xf32>
        %f = memref.load %x[%k] : memref<?xf32>
        %p = arith.mulf %e, %f : f32
        %n = arith.addf %s, %p : f32
        scf.yield %n : f32
      }
      memref.store %sum, %y[%b] : memref<?xf32>
      gpu.return
    }
    // Elements at indices: indices once, a vector of four a thread; nobody knows of the elements.
    gpu.func @gather(%is: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %from = arith.muli %b, %c256 : index
      %g = arith.addi %from, %t : index
      %at = arith.muli %g, %c4 : index
      %four = vector.load %is[%at] {alignment = 16 : i64} : memref<?xi32>, vector<4xi32>
      %i:4 = vector.to_elements %four : vector<4xi32>
      %j = arith.index_cast %i#2 : i32 to index
      %e = memref.load %x[%j] : memref<?xf32>
      memref.store %e, %y[%g] : memref<?xf32>
      gpu.return
    }
    // A warp to a row; lanes of 32.
    gpu.func @warps(%a: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>, %m: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %warp = arith.divui %t, %c32 : index
      %lane = arith.remui %t, %c32 : index
      %first = arith.muli %b, %c4 : index
      %row = arith.addi %first, %warp : index
      %start = arith.muli %row, %m : index
      scf.for %k = %lane to %m step %c32 {
        %i = arith.addi %start, %k : index
        %e = memref.load %a[%i] : memref<?xf64>
        %f = memref.load %x[%k] : memref<?xf64>
        %p = arith.mulf %e, %f : f64
        memref.store %p, %y[%i] : memref<?xf64>
      }
      gpu.return
    }
    // Read again: a neighbour's, the same in the next turn, before a whole block's step, in a row of a thread of its own.
    gpu.func @again(%a: memref<?xf32>, %b0: memref<?xf32>, %c: memref<?xf32>, %d: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %m: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %from = arith.muli %b, %c256 : index
      %g = arith.addi %from, %t : index
      %next = arith.addi %g, %c1 : index
      %n0 = memref.load %a[%g] : memref<?xf32>
      %n1 = memref.load %a[%next] : memref<?xf32>
      %e = arith.addf %n0, %n1 : f32
      %one = memref.load %x[%c0] : memref<?xf32>
      scf.for %k = %c0 to %m step %c64 {
        %same = memref.load %b0[%g] : memref<?xf32>
        %i = arith.addi %g, %k : index
        %short = memref.load %c[%i] : memref<?xf32>
        %start = arith.muli %g, %m : index
        %j = arith.addi %start, %k : index
        %own = memref.load %d[%j] : memref<?xf32>
        %u = arith.addf %same, %short : f32
        %v = arith.addf %u, %own : f32
        %w = arith.addf %v, %one : f32
        %z = arith.addf %w, %e : f32
        memref.store %z, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    // One buffer by two names: neighbours.
    gpu.func @names(%a: memref<?xf32>, %a1: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %from = arith.muli %b, %c256 : index
      %g = arith.addi %from, %t : index
      %next = arith.addi %g, %c1 : index
      %n0 = memref.load %a[%g] : memref<?xf32>
      %n1 = memref.load %a1[%next] : memref<?xf32>
      %e = arith.addf %n0, %n1 : f32
      %one = memref.load %x[%c0] : memref<?xf32>
      %z = arith.addf %one, %e : f32
      memref.store %z, %y[%g] : memref<?xf32>
      gpu.return
    }
    // One row in two loops.
    gpu.func @twice(%a: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %m: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %zero = arith.constant 0.0 : f32
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %row = arith.muli %b, %m : index
      %first = arith.addi %row, %t : index
      %last = arith.addi %row, %m : index
      %sum = scf.for %i = %first to %last step %c256 iter_args(%s = %zero) -> (f32) {
        %e = memref.load %a[%i] : memref<?xf32>
        %n = arith.addf %s, %e : f32
        scf.yield %n : f32
      }
      scf.for %k = %t to %m step %c256 {
        %i = arith.addi %row, %k : index
        %e = memref.load %a[%i] : memref<?xf32>
        %f = memref.load %x[%k] : memref<?xf32>
        %p = arith.mulf %e, %f : f32
        %n = arith.mulf %sum, %p : f32
        memref.store %n, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    // The element of the next turn, too.
    gpu.func @ahead(%a: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %m: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %row = arith.muli %b, %m : index
      scf.for %k = %t to %m step %c256 {
        %i = arith.addi %row, %k : index
        %j = arith.addi %i, %c256 : index
        %e = memref.load %a[%i] : memref<?xf32>
        %d = memref.load %a[%j] : memref<?xf32>
        %f = memref.load %x[%k] : memref<?xf32>
        %p = arith.mulf %e, %f : f32
        %n = arith.mulf %p, %d : f32
        memref.store %n, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    // Nothing to keep.
    gpu.func @sum(%a: memref<?xf32>, %b0: memref<?xf32>, %y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %from = arith.muli %b, %c256 : index
      %g = arith.addi %from, %t : index
      %e = memref.load %a[%g] : memref<?xf32>
      %f = memref.load %b0[%g] : memref<?xf32>
      %s = arith.addf %e, %f : f32
      memref.store %s, %y[%g] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%a: memref<?xf32>, %a1: memref<?xf32>, %a2: memref<?xf32>, %a3: memref<?xf32>, %x: memref<?xf32>, %d: memref<?xf64>, %e: memref<?xf64>, %n: index, %m: index) -> (memref<?xf32>, memref<?xf64>, memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %r = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@rows blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %x : memref<?xf32>, %r : memref<?xf32>, %m : index)
    // Indices that are freed when they were read.
    %is = gpu.alloc (%n) : memref<?xi32>
    %zero = arith.constant 0 : i32
    gpu.memset %is, %zero : memref<?xi32>, i32
    %g = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@gather blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%is : memref<?xi32>, %r : memref<?xf32>, %g : memref<?xf32>)
    gpu.dealloc %is : memref<?xi32>
    %w = gpu.alloc (%n) : memref<?xf64>
    gpu.launch_func @kernels::@warps blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) args(%d : memref<?xf64>, %e : memref<?xf64>, %w : memref<?xf64>, %m : index)
    %y = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@again blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %a1 : memref<?xf32>, %a2 : memref<?xf32>, %a3 : memref<?xf32>, %x : memref<?xf32>, %y : memref<?xf32>, %m : index)
    %v = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@names blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %a : memref<?xf32>, %x : memref<?xf32>, %v : memref<?xf32>)
    gpu.launch_func @kernels::@twice blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %x : memref<?xf32>, %v : memref<?xf32>, %m : index)
    gpu.launch_func @kernels::@ahead blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %x : memref<?xf32>, %v : memref<?xf32>, %m : index)
    gpu.dealloc %v : memref<?xf32>
    %s = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@sum blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%g : memref<?xf32>, %y : memref<?xf32>, %s : memref<?xf32>)
    gpu.dealloc %g : memref<?xf32>
    gpu.dealloc %y : memref<?xf32>
    func.return %r, %w, %s : memref<?xf32>, memref<?xf64>, memref<?xf32>
  }
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @rows(%a: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %m: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias}, {}], known_block_size = array<i32: 256, 1, 1>} {
      %zero = arith.constant 0.000000e+00 : f32
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %sum = scf.for %k = %t to %m step %c256 iter_args(%s = %zero) -> (f32) {
        %row = arith.muli %b, %m : index
        %i = arith.addi %row, %k : index
        %e = memref.load %a[%i] {segra.load_hint = "l2"} : memref<?xf32>
        %f = memref.load %x[%k] : memref<?xf32>
        %p = arith.mulf %e, %f : f32
        %n = arith.addf %s, %p : f32
        scf.yield %n : f32
      }
      memref.store %sum, %y[%b] : memref<?xf32>
      gpu.return
    }
    gpu.func @gather(%is: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias}], known_block_size = array<i32: 256, 1, 1>} {
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %from = arith.muli %b, %c256 : index
      %g = arith.addi %from, %t : index
      %at = arith.muli %g, %c4 : index
      %four = vector.load %is[%at] {alignment = 16 : i64, segra.load_hint = "streaming"} : memref<?xi32>, vector<4xi32>
      %i:4 = vector.to_elements %four : vector<4xi32>
      %j = arith.index_cast %i#2 : i32 to index
      %e = memref.load %x[%j] : memref<?xf32>
      memref.store %e, %y[%g] : memref<?xf32>
      gpu.return
    }
    gpu.func @warps(%a: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>, %m: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias}, {}], known_block_size = array<i32: 128, 1, 1>} {
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %warp = arith.divui %t, %c32 : index
      %lane = arith.remui %t, %c32 : index
      %first = arith.muli %b, %c4 : index
      %row = arith.addi %first, %warp : index
      %start = arith.muli %row, %m : index
      scf.for %k = %lane to %m step %c32 {
        %i = arith.addi %start, %k : index
        %e = memref.load %a[%i] {segra.load_hint = "l2"} : memref<?xf64>
        %f = memref.load %x[%k] : memref<?xf64>
        %p = arith.mulf %e, %f : f64
        memref.store %p, %y[%i] : memref<?xf64>
      }
      gpu.return
    }
    gpu.func @again(%a: memref<?xf32>, %b0: memref<?xf32>, %c: memref<?xf32>, %d: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %m: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias}, {}], known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %from = arith.muli %b, %c256 : index
      %g = arith.addi %from, %t : index
      %next = arith.addi %g, %c1 : index
      %n0 = memref.load %a[%g] : memref<?xf32>
      %n1 = memref.load %a[%next] : memref<?xf32>
      %e = arith.addf %n0, %n1 : f32
      %one = memref.load %x[%c0] : memref<?xf32>
      scf.for %k = %c0 to %m step %c64 {
        %same = memref.load %b0[%g] : memref<?xf32>
        %i = arith.addi %g, %k : index
        %short = memref.load %c[%i] : memref<?xf32>
        %start = arith.muli %g, %m : index
        %j = arith.addi %start, %k : index
        %own = memref.load %d[%j] : memref<?xf32>
        %u = arith.addf %same, %short : f32
        %v = arith.addf %u, %own : f32
        %w = arith.addf %v, %one : f32
        %z = arith.addf %w, %e : f32
        memref.store %z, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @names(%a: memref<?xf32>, %a1: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias}], known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %from = arith.muli %b, %c256 : index
      %g = arith.addi %from, %t : index
      %next = arith.addi %g, %c1 : index
      %n0 = memref.load %a[%g] : memref<?xf32>
      %n1 = memref.load %a1[%next] : memref<?xf32>
      %e = arith.addf %n0, %n1 : f32
      %one = memref.load %x[%c0] : memref<?xf32>
      %z = arith.addf %one, %e : f32
      memref.store %z, %y[%g] : memref<?xf32>
      gpu.return
    }
    gpu.func @twice(%a: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %m: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias}, {}], known_block_size = array<i32: 256, 1, 1>} {
      %zero = arith.constant 0.000000e+00 : f32
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %row = arith.muli %b, %m : index
      %first = arith.addi %row, %t : index
      %last = arith.addi %row, %m : index
      %sum = scf.for %i = %first to %last step %c256 iter_args(%s = %zero) -> (f32) {
        %e = memref.load %a[%i] : memref<?xf32>
        %n = arith.addf %s, %e : f32
        scf.yield %n : f32
      }
      scf.for %k = %t to %m step %c256 {
        %i = arith.addi %row, %k : index
        %e = memref.load %a[%i] : memref<?xf32>
        %f = memref.load %x[%k] : memref<?xf32>
        %p = arith.mulf %e, %f : f32
        %n = arith.mulf %sum, %p : f32
        memref.store %n, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @ahead(%a: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %m: index) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias}, {}], known_block_size = array<i32: 256, 1, 1>} {
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %row = arith.muli %b, %m : index
      scf.for %k = %t to %m step %c256 {
        %i = arith.addi %row, %k : index
        %j = arith.addi %i, %c256 : index
        %e = memref.load %a[%i] : memref<?xf32>
        %d = memref.load %a[%j] : memref<?xf32>
        %f = memref.load %x[%k] : memref<?xf32>
        %p = arith.mulf %e, %f : f32
        %n = arith.mulf %p, %d : f32
        memref.store %n, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @sum(%a: memref<?xf32>, %b0: memref<?xf32>, %y: memref<?xf32>) kernel attributes {arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias, llvm.readonly}, {llvm.noalias}], known_block_size = array<i32: 256, 1, 1>} {
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %from = arith.muli %b, %c256 : index
      %g = arith.addi %from, %t : index
      %e = memref.load %a[%g] : memref<?xf32>
      %f = memref.load %b0[%g] : memref<?xf32>
      %s = arith.addf %e, %f : f32
      memref.store %s, %y[%g] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%a: memref<?xf32>, %a1: memref<?xf32>, %a2: memref<?xf32>, %a3: memref<?xf32>, %x: memref<?xf32>, %d: memref<?xf64>, %e: memref<?xf64>, %n: index, %m: index) -> (memref<?xf32>, memref<?xf64>, memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %r = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@rows blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %x : memref<?xf32>, %r : memref<?xf32>, %m : index)
    %is = gpu.alloc (%n) : memref<?xi32>
    %zero = arith.constant 0 : i32
    gpu.memset %is, %zero : memref<?xi32>, i32
    %g = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@gather blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%is : memref<?xi32>, %r : memref<?xf32>, %g : memref<?xf32>)
    gpu.dealloc %is : memref<?xi32>
    %w = gpu.alloc (%n) : memref<?xf64>
    gpu.launch_func @kernels::@warps blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) args(%d : memref<?xf64>, %e : memref<?xf64>, %w : memref<?xf64>, %m : index)
    %y = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@again blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %a1 : memref<?xf32>, %a2 : memref<?xf32>, %a3 : memref<?xf32>, %x : memref<?xf32>, %y : memref<?xf32>, %m : index)
    %v = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@names blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %a : memref<?xf32>, %x : memref<?xf32>, %v : memref<?xf32>)
    gpu.launch_func @kernels::@twice blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %x : memref<?xf32>, %v : memref<?xf32>, %m : index)
    gpu.launch_func @kernels::@ahead blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<?xf32>, %x : memref<?xf32>, %v : memref<?xf32>, %m : index)
    gpu.dealloc %v : memref<?xf32>
    %s = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@sum blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%g : memref<?xf32>, %y : memref<?xf32>, %s : memref<?xf32>)
    gpu.dealloc %g : memref<?xf32>
    gpu.dealloc %y : memref<?xf32>
    func.return %r, %w, %s : memref<?xf32>, memref<?xf64>, memref<?xf32>
  }
}
