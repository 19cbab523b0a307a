// pass: builtin.module(tile-blocks{tile=64 stages=3},canonicalize,cse,dce,func.func(choose-mapping),lower-to-gpu,canonicalize,cse,dce)
// Along a line, copies of two tiles ahead: three slots in turn, groups of copies, and in a step a wait for all groups but
// one and one barrier.
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
      %c192 = arith.constant 192 : index
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c63 = arith.constant 63 : index
      %c2 = arith.constant 2 : index
      %c1 = arith.constant 1 : index
      %cst = arith.constant 0.000000e+00 : f32
      %c16 = arith.constant 16 : index
      %c4 = arith.constant 4 : index
      %c3 = arith.constant 3 : index
      %c67 = arith.constant 67 : index
      %c65 = arith.constant 65 : index
      %c66 = arith.constant 66 : index
      %0 = gpu.shared_array %c0, %c192 : memref<?xf32, #gpu.address_space<workgroup>>
      %1 = gpu.block_id x
      %2 = gpu.thread_id x
      %3 = arith.muli %1, %c64 : index
      %4 = arith.addi %3, %2 : index
      %5 = arith.minsi %4, %arg0 : index
      %x = memref.load %arg1[%5] : memref<?xf32>
      %6 = arith.maxsi %arg2, %c0 : index
      %7 = arith.divui %6, %c64 : index
      %8 = arith.cmpi sgt, %7, %c0 : index
      scf.if %8 {
        %21 = arith.cmpi slt, %2, %c16 : index
        scf.if %21 {
          %22 = arith.muli %2, %c4 : index
          %23 = arith.remui %22, %c4 : index
          %24 = arith.cmpi eq, %23, %c0 : index
          scf.if %24 {
            %25 = nvgpu.device_async_copy %arg1[%22], %0[%22], 4 {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
          } else {
            %25 = nvgpu.device_async_copy %arg1[%22], %0[%22], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %26 = arith.addi %22, %c1 : index
            %27 = nvgpu.device_async_copy %arg1[%26], %0[%26], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %28 = arith.addi %22, %c2 : index
            %29 = nvgpu.device_async_copy %arg1[%28], %0[%28], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %30 = arith.addi %22, %c3 : index
            %31 = nvgpu.device_async_copy %arg1[%30], %0[%30], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
          }
        }
      }
      %9 = arith.cmpi sgt, %7, %c1 : index
      %10 = nvgpu.device_async_create_group {}
      scf.if %9 {
        %21 = arith.cmpi slt, %2, %c16 : index
        scf.if %21 {
          %22 = arith.muli %2, %c4 : index
          %23 = arith.addi %22, %c64 : index
          %24 = arith.addi %22, %c67 : index
          %25 = arith.subi %24, %23 : index
          %26 = arith.cmpi eq, %25, %c3 : index
          %27 = arith.remui %23, %c4 : index
          %28 = arith.cmpi eq, %27, %c0 : index
          %29 = arith.andi %26, %28 : i1
          scf.if %29 {
            %30 = nvgpu.device_async_copy %arg1[%23], %0[%23], 4 {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
          } else {
            %30 = nvgpu.device_async_copy %arg1[%23], %0[%23], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %31 = arith.addi %22, %c65 : index
            %32 = nvgpu.device_async_copy %arg1[%31], %0[%31], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %33 = arith.addi %22, %c66 : index
            %34 = nvgpu.device_async_copy %arg1[%33], %0[%33], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %35 = nvgpu.device_async_copy %arg1[%24], %0[%24], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
          }
        }
      }
      %11 = nvgpu.device_async_create_group {}
      %12 = arith.maxsi %7, %c1 : index
      %13 = scf.for %arg5 = %c0 to %7 step %12 iter_args(%arg6 = %cst) -> (f32) {
        %21 = arith.addi %arg5, %12 : index
        %22 = arith.minsi %21, %7 : index
        %23 = scf.for %arg7 = %arg5 to %22 step %c1 iter_args(%arg8 = %arg6) -> (f32) {
          %24 = arith.remui %arg7, %c3 : index
          %25 = arith.muli %24, %c64 : index
          %26 = arith.addi %arg7, %c2 : index
          %27 = arith.remui %26, %c3 : index
          %28 = arith.muli %27, %c64 : index
          nvgpu.device_async_wait %11 {numGroups = 1 : i32}
          gpu.barrier
          %29 = arith.cmpi slt, %26, %7 : index
          scf.if %29 {
            %32 = arith.cmpi slt, %2, %c16 : index
            scf.if %32 {
              %33 = arith.muli %2, %c4 : index
              %34 = arith.muli %26, %c64 : index
              %35 = arith.addi %34, %33 : index
              %36 = arith.addi %28, %33 : index
              %37 = nvgpu.device_async_copy %arg1[%35], %0[%36], 4 {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            }
          }
          %30 = scf.for %arg9 = %c0 to %c64 step %c4 iter_args(%arg10 = %arg8) -> (f32) {
            %32 = arith.addi %25, %arg9 : index
            %33 = vector.load %0[%32] {alignment = 16 : i64} : memref<?xf32, #gpu.address_space<workgroup>>, vector<4xf32>
            %34:4 = vector.to_elements %33 : vector<4xf32>
            %d = arith.subf %34#0, %x : f32
            %next = arith.addf %arg10, %d : f32
            %d_0 = arith.subf %34#1, %x : f32
            %next_1 = arith.addf %next, %d_0 : f32
            %d_2 = arith.subf %34#2, %x : f32
            %next_3 = arith.addf %next_1, %d_2 : f32
            %d_4 = arith.subf %34#3, %x : f32
            %next_5 = arith.addf %next_3, %d_4 : f32
            scf.yield %next_5 : f32
          }
          %31 = nvgpu.device_async_create_group {}
          scf.yield %30 : f32
        }
        scf.yield %23 : f32
      }
      %14 = arith.muli %7, %c64 : index
      %15 = arith.subi %6, %14 : index
      %16 = arith.maxsi %15, %c0 : index
      %17 = arith.addi %16, %c63 : index
      %18 = arith.divui %17, %c64 : index
      %19 = scf.for %arg5 = %c0 to %18 step %c1 iter_args(%arg6 = %13) -> (f32) {
        gpu.barrier
        %21 = arith.muli %arg5, %c64 : index
        %22 = arith.subi %15, %21 : index
        %23 = arith.minsi %22, %c64 : index
        %24 = arith.subi %23, %c1 : index
        %25 = arith.minsi %2, %24 : index
        %26 = arith.addi %21, %25 : index
        %27 = arith.addi %14, %26 : index
        %y = memref.load %arg1[%27] : memref<?xf32>
        memref.store %y, %0[%2] : memref<?xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %28 = scf.for %arg7 = %c0 to %23 step %c1 iter_args(%arg8 = %arg6) -> (f32) {
          %y_0 = memref.load %0[%arg7] : memref<?xf32, #gpu.address_space<workgroup>>
          %d = arith.subf %y_0, %x : f32
          %next = arith.addf %arg8, %d : f32
          scf.yield %next : f32
        }
        scf.yield %28 : f32
      }
      %20 = arith.cmpi slt, %4, %arg2 : index
      scf.if %20 {
        memref.store %19, %arg4[%4] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @pairs(%xs: memref<?xf32>, %n: index) -> memref<?xf32> {
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %c2147483647 = arith.constant 2147483647 : index
    %c768_i32 = arith.constant 768 : i32
    %0 = arith.addi %n, %c63 : index
    %1 = arith.divui %0, %c64 : index
    %2 = arith.subi %n, %c1 : index
    %3 = gpu.alloc (%n) : memref<?xf32>
    %4 = arith.cmpi sle, %1, %c2147483647 : index
    %5 = arith.subi %1, %c2147483647 : index
    %6 = check.require %4, %1 else %c1 : index, index, "grid x of the launch is {0}, the hardware allows at most 2147483647: {1} too many"(%1, %5 : index, index)
    gpu.launch_func @kernels::@pairs_segmap_block_0 blocks in (%1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %c768_i32 args(%2 : index, %xs : memref<?xf32>, %n : index, %1 : index, %3 : memref<?xf32>)
    func.return %3 : memref<?xf32>
  }
}
