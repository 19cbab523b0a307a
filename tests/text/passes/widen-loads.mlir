// pass: builtin.module(gpu.module(gpu.func(widen-loads)))
// Four neighbours from a multiple of four on are one load, wherever they stand; two are one of 64 bits; one that begins
// beside such a place stays, as do neighbours at an index of which nothing is known.
gpu.module @kernels {
  gpu.func @neighbours(%xs: memref<?xf32>, %i: index, %j: index) kernel {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %four = arith.muli %i, %c4 : index
    %i1 = arith.addi %four, %c1 : index
    %i2 = arith.addi %c2, %four : index
    %i3 = arith.addi %i1, %c2 : index
    %i8 = arith.addi %four, %c8 : index
    %i9 = arith.addi %four, %c9 : index
    %j1 = arith.addi %j, %c1 : index
    %x3 = memref.load %xs[%i3] : memref<?xf32>
    %x0 = memref.load %xs[%four] : memref<?xf32>
    %x2 = memref.load %xs[%i2] : memref<?xf32>
    %s = arith.addf %x3, %x0 : f32
    %x1 = memref.load %xs[%i1] : memref<?xf32>
    %x8 = memref.load %xs[%i8] : memref<?xf32>
    %x9 = memref.load %xs[%i9] : memref<?xf32>
    %y0 = memref.load %xs[%j] : memref<?xf32>
    %y1 = memref.load %xs[%j1] : memref<?xf32>
    %t = arith.addf %x1, %x2 : f32
    %u = arith.addf %x8, %x9 : f32
    %v = arith.addf %y0, %y1 : f32
    %a = arith.addf %s, %t : f32
    %b = arith.addf %u, %v : f32
    %c = arith.addf %a, %b : f32
    memref.store %c, %xs[%i] : memref<?xf32>
    gpu.return
  }
  // Nothing moves over a store or a barrier.
  gpu.func @written(%xs: memref<?xf32>, %i: index) kernel {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %two = arith.muli %i, %c2 : index
    %next = arith.addi %two, %c1 : index
    %x = memref.load %xs[%two] : memref<?xf32>
    memref.store %x, %xs[%next] : memref<?xf32>
    %y = memref.load %xs[%next] : memref<?xf32>
    gpu.barrier
    %z = memref.load %xs[%two] : memref<?xf32>
    %s = arith.addf %y, %z : f32
    memref.store %s, %xs[%i] : memref<?xf32>
    gpu.return
  }
}
// ===== expected
builtin.module {
  gpu.module @kernels {
    gpu.func @neighbours(%xs: memref<?xf32>, %i: index, %j: index) kernel {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c9 = arith.constant 9 : index
      %four = arith.muli %i, %c4 : index
      %i1 = arith.addi %four, %c1 : index
      %i2 = arith.addi %c2, %four : index
      %i3 = arith.addi %i1, %c2 : index
      %i8 = arith.addi %four, %c8 : index
      %i9 = arith.addi %four, %c9 : index
      %j1 = arith.addi %j, %c1 : index
      %c-3 = arith.constant -3 : index
      %0 = arith.addi %i3, %c-3 : index
      %1 = vector.load %xs[%0] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      %2:4 = vector.to_elements %1 : vector<4xf32>
      %s = arith.addf %2#3, %2#0 : f32
      %3 = vector.load %xs[%i8] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
      %4:2 = vector.to_elements %3 : vector<2xf32>
      %y0 = memref.load %xs[%j] : memref<?xf32>
      %y1 = memref.load %xs[%j1] : memref<?xf32>
      %t = arith.addf %2#1, %2#2 : f32
      %u = arith.addf %4#0, %4#1 : f32
      %v = arith.addf %y0, %y1 : f32
      %a = arith.addf %s, %t : f32
      %b = arith.addf %u, %v : f32
      %c = arith.addf %a, %b : f32
      memref.store %c, %xs[%i] : memref<?xf32>
      gpu.return
    }
    gpu.func @written(%xs: memref<?xf32>, %i: index) kernel {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %two = arith.muli %i, %c2 : index
      %next = arith.addi %two, %c1 : index
      %x = memref.load %xs[%two] : memref<?xf32>
      memref.store %x, %xs[%next] : memref<?xf32>
      %y = memref.load %xs[%next] : memref<?xf32>
      gpu.barrier
      %z = memref.load %xs[%two] : memref<?xf32>
      %s = arith.addf %y, %z : f32
      memref.store %s, %xs[%i] : memref<?xf32>
      gpu.return
    }
  }
}
