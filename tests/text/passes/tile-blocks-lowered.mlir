// pass: builtin.module(tile-blocks{tile=64},canonicalize,cse,dce,func.func(choose-mapping),lower-to-gpu,canonicalize,cse,dce)
// Along a line: a copy of 64 elements per step in shared memory, a barrier before it is written and one before it is
// read, the sum in a register of each thread, the results where they belong.
func.func @pairs(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %y = tensor.extract %xs[%k] : tensor<?xf32>
      %d = arith.subf %y, %x : f32
      %next = arith.addf %acc, %d : f32
      scf.yield %next : f32
    }
    kernel.return %s : f32
  }
  func.return %r : tensor<?xf32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @pairs_segmap_block_0(%arg0: index, %arg1: memref<?xf32>, %arg2: index, %arg3: index, %arg4: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.maxntid = array<i32: 64, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over ceildiv(n, 64)"} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c63 = arith.constant 63 : index
      %c1 = arith.constant 1 : index
      %cst = arith.constant 0.000000e+00 : f32
      %c4 = arith.constant 4 : index
      %0 = gpu.shared_array %c0, %c64 : memref<?xf32, #gpu.address_space<workgroup>>
      %1 = gpu.block_id x
      %2 = gpu.thread_id x
      %3 = arith.muli %1, %c64 : index
      %4 = arith.addi %3, %2 : index
      %5 = arith.minsi %4, %arg0 : index
      %x = memref.load %arg1[%5] : memref<?xf32>
      %6 = arith.maxsi %arg2, %c0 : index
      %7 = arith.divui %6, %c64 : index
      %8 = scf.for %arg5 = %c0 to %7 step %c1 iter_args(%arg6 = %cst) -> (f32) {
        gpu.barrier
        %16 = arith.muli %arg5, %c64 : index
        %17 = arith.addi %16, %2 : index
        %y = memref.load %arg1[%17] : memref<?xf32>
        memref.store %y, %0[%2] : memref<?xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %18 = scf.for %arg7 = %c0 to %c64 step %c4 iter_args(%arg8 = %arg6) -> (f32) {
          %19 = vector.load %0[%arg7] {alignment = 16 : i64} : memref<?xf32, #gpu.address_space<workgroup>>, vector<4xf32>
          %20:4 = vector.to_elements %19 : vector<4xf32>
          %d = arith.subf %20#0, %x : f32
          %next = arith.addf %arg8, %d : f32
          %d_0 = arith.subf %20#1, %x : f32
          %next_1 = arith.addf %next, %d_0 : f32
          %d_2 = arith.subf %20#2, %x : f32
          %next_3 = arith.addf %next_1, %d_2 : f32
          %d_4 = arith.subf %20#3, %x : f32
          %next_5 = arith.addf %next_3, %d_4 : f32
          scf.yield %next_5 : f32
        }
        scf.yield %18 : f32
      }
      %9 = arith.muli %7, %c64 : index
      %10 = arith.subi %6, %9 : index
      %11 = arith.maxsi %10, %c0 : index
      %12 = arith.addi %11, %c63 : index
      %13 = arith.divui %12, %c64 : index
      %14 = scf.for %arg5 = %c0 to %13 step %c1 iter_args(%arg6 = %8) -> (f32) {
        gpu.barrier
        %16 = arith.muli %arg5, %c64 : index
        %17 = arith.subi %10, %16 : index
        %18 = arith.minsi %17, %c64 : index
        %19 = arith.subi %18, %c1 : index
        %20 = arith.minsi %2, %19 : index
        %21 = arith.addi %16, %20 : index
        %22 = arith.addi %9, %21 : index
        %y = memref.load %arg1[%22] : memref<?xf32>
        memref.store %y, %0[%2] : memref<?xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %23 = scf.for %arg7 = %c0 to %18 step %c1 iter_args(%arg8 = %arg6) -> (f32) {
          %y_0 = memref.load %0[%arg7] : memref<?xf32, #gpu.address_space<workgroup>>
          %d = arith.subf %y_0, %x : f32
          %next = arith.addf %arg8, %d : f32
          scf.yield %next : f32
        }
        scf.yield %23 : f32
      }
      %15 = arith.cmpi slt, %4, %arg2 : index
      scf.if %15 {
        memref.store %14, %arg4[%4] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @pairs(%xs: memref<?xf32>, %n: index) -> memref<?xf32> {
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %c2147483647 = arith.constant 2147483647 : index
    %c256_i32 = arith.constant 256 : i32
    %0 = arith.addi %n, %c63 : index
    %1 = arith.divui %0, %c64 : index
    %2 = arith.subi %n, %c1 : index
    %3 = gpu.alloc (%n) : memref<?xf32>
    %4 = arith.cmpi sle, %1, %c2147483647 : index
    %5 = arith.subi %1, %c2147483647 : index
    %6 = check.require %4, %1 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%1, %5 : index, index)
    gpu.launch_func @kernels::@pairs_segmap_block_0 blocks in (%1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %c256_i32 args(%2 : index, %xs : memref<?xf32>, %n : index, %1 : index, %3 : memref<?xf32>)
    func.return %3 : memref<?xf32>
  }
}
