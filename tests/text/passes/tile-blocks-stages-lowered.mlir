// pass: builtin.module(tile-blocks{tile=64 stages=3},canonicalize,cse,dce,func.func(choose-mapping),lower-to-gpu,canonicalize,cse,dce)
// Along a line, copies of two tiles ahead: three slots in turn, groups of copies, and in a step a wait for all groups but
// one and one barrier.
func.func @pairs(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = kernel.read %xs[%i] : tensor<?xf32>
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %y = kernel.read %xs[%k] : tensor<?xf32>
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
    gpu.func @pairs_segmap_block_0(%arg0: index, %arg1: memref<?xf32>, %arg2: index, %arg3: index, %arg4: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, mapping = "GridBlock(0, ShiftLB(Gen))", nvvm.maxntid = array<i32: 64, 1, 1>, nvvm.minctasm = 1 : i32, summary = "segmap_block at level block over ?"} {
      %c192 = arith.constant 192 : index
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c2 = arith.constant 2 : index
      %c1 = arith.constant 1 : index
      %c63 = arith.constant 63 : index
      %cst = arith.constant 0.000000e+00 : f32
      %c16 = arith.constant 16 : index
      %c4 = arith.constant 4 : index
      %c3 = arith.constant 3 : index
      %c65 = arith.constant 65 : index
      %c66 = arith.constant 66 : index
      %c67 = arith.constant 67 : index
      %0 = gpu.shared_array %c0, %c192 : memref<?xf32, #gpu.address_space<workgroup>>
      %1 = gpu.block_id x
      %2 = gpu.thread_id x
      %3 = arith.muli %1, %c64 : index
      %4 = arith.addi %3, %2 : index
      %5 = arith.minsi %4, %arg0 : index
      %x = memref.load %arg1[%5] : memref<?xf32>
      %6 = arith.maxsi %arg2, %c0 : index
      %7 = arith.addi %6, %c63 : index
      %8 = arith.divui %7, %c64 : index
      %9 = arith.cmpi sgt, %8, %c0 : index
      scf.if %9 {
        %15 = arith.cmpi slt, %2, %c16 : index
        scf.if %15 {
          %16 = arith.muli %2, %c4 : index
          %17 = arith.minsi %arg2, %c64 : index
          %18 = arith.subi %17, %c1 : index
          %19 = arith.minsi %16, %18 : index
          %20 = arith.addi %16, %c3 : index
          %21 = arith.minsi %20, %18 : index
          %22 = arith.subi %21, %19 : index
          %23 = arith.cmpi eq, %22, %c3 : index
          %24 = arith.remui %19, %c4 : index
          %25 = arith.cmpi eq, %24, %c0 : index
          %26 = arith.andi %23, %25 : i1
          scf.if %26 {
            %27 = nvgpu.device_async_copy %arg1[%19], %0[%16], 4 {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
          } else {
            %27 = nvgpu.device_async_copy %arg1[%19], %0[%16], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %28 = arith.addi %16, %c1 : index
            %29 = arith.minsi %28, %18 : index
            %30 = nvgpu.device_async_copy %arg1[%29], %0[%28], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %31 = arith.addi %16, %c2 : index
            %32 = arith.minsi %31, %18 : index
            %33 = nvgpu.device_async_copy %arg1[%32], %0[%31], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %34 = nvgpu.device_async_copy %arg1[%21], %0[%20], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
          }
        }
      }
      %10 = arith.cmpi sgt, %8, %c1 : index
      %11 = nvgpu.device_async_create_group {}
      scf.if %10 {
        %15 = arith.cmpi slt, %2, %c16 : index
        scf.if %15 {
          %16 = arith.muli %2, %c4 : index
          %17 = arith.subi %arg2, %c64 : index
          %18 = arith.minsi %17, %c64 : index
          %19 = arith.subi %18, %c1 : index
          %20 = arith.minsi %16, %19 : index
          %21 = arith.addi %20, %c64 : index
          %22 = arith.addi %16, %c3 : index
          %23 = arith.minsi %22, %19 : index
          %24 = arith.addi %23, %c64 : index
          %25 = arith.subi %24, %21 : index
          %26 = arith.cmpi eq, %25, %c3 : index
          %27 = arith.remui %21, %c4 : index
          %28 = arith.cmpi eq, %27, %c0 : index
          %29 = arith.andi %26, %28 : i1
          scf.if %29 {
            %30 = arith.addi %16, %c64 : index
            %31 = nvgpu.device_async_copy %arg1[%21], %0[%30], 4 {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
          } else {
            %30 = arith.addi %16, %c64 : index
            %31 = nvgpu.device_async_copy %arg1[%21], %0[%30], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %32 = arith.addi %16, %c1 : index
            %33 = arith.minsi %32, %19 : index
            %34 = arith.addi %33, %c64 : index
            %35 = arith.addi %16, %c65 : index
            %36 = nvgpu.device_async_copy %arg1[%34], %0[%35], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %37 = arith.addi %16, %c2 : index
            %38 = arith.minsi %37, %19 : index
            %39 = arith.addi %38, %c64 : index
            %40 = arith.addi %16, %c66 : index
            %41 = nvgpu.device_async_copy %arg1[%39], %0[%40], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            %42 = arith.addi %16, %c67 : index
            %43 = nvgpu.device_async_copy %arg1[%24], %0[%42], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
          }
        }
      }
      %12 = nvgpu.device_async_create_group {}
      %13 = scf.for %arg5 = %c0 to %8 step %c1 iter_args(%arg6 = %cst) -> (f32) {
        %15 = arith.remui %arg5, %c3 : index
        %16 = arith.muli %15, %c64 : index
        %17 = arith.addi %arg5, %c2 : index
        %18 = arith.remui %17, %c3 : index
        %19 = arith.muli %18, %c64 : index
        nvgpu.device_async_wait %12 {numGroups = 1 : i32}
        gpu.barrier
        %20 = arith.cmpi slt, %17, %8 : index
        scf.if %20 {
          %27 = arith.cmpi slt, %2, %c16 : index
          scf.if %27 {
            %28 = arith.muli %2, %c4 : index
            %29 = arith.muli %17, %c64 : index
            %30 = arith.subi %arg2, %29 : index
            %31 = arith.minsi %30, %c64 : index
            %32 = arith.subi %31, %c1 : index
            %33 = arith.minsi %28, %32 : index
            %34 = arith.addi %29, %33 : index
            %35 = arith.addi %28, %c3 : index
            %36 = arith.minsi %35, %32 : index
            %37 = arith.addi %29, %36 : index
            %38 = arith.subi %37, %34 : index
            %39 = arith.cmpi eq, %38, %c3 : index
            %40 = arith.remui %34, %c4 : index
            %41 = arith.cmpi eq, %40, %c0 : index
            %42 = arith.andi %39, %41 : i1
            scf.if %42 {
              %43 = arith.addi %19, %28 : index
              %44 = nvgpu.device_async_copy %arg1[%34], %0[%43], 4 {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            } else {
              %43 = arith.addi %19, %28 : index
              %44 = nvgpu.device_async_copy %arg1[%34], %0[%43], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
              %45 = arith.addi %28, %c1 : index
              %46 = arith.minsi %45, %32 : index
              %47 = arith.addi %29, %46 : index
              %48 = arith.addi %19, %45 : index
              %49 = nvgpu.device_async_copy %arg1[%47], %0[%48], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
              %50 = arith.addi %28, %c2 : index
              %51 = arith.minsi %50, %32 : index
              %52 = arith.addi %29, %51 : index
              %53 = arith.addi %19, %50 : index
              %54 = nvgpu.device_async_copy %arg1[%52], %0[%53], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
              %55 = arith.addi %19, %35 : index
              %56 = nvgpu.device_async_copy %arg1[%37], %0[%55], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
            }
          }
        }
        %21 = arith.muli %arg5, %c64 : index
        %22 = arith.subi %arg2, %21 : index
        %23 = arith.minsi %22, %c64 : index
        %24 = arith.cmpi eq, %23, %c64 : index
        %25 = scf.if %24 -> (f32) {
          %27 = scf.for %arg7 = %c0 to %c64 step %c4 iter_args(%arg8 = %arg6) -> (f32) {
            %28 = arith.addi %16, %arg7 : index
            %29 = vector.load %0[%28] {alignment = 16 : i64} : memref<?xf32, #gpu.address_space<workgroup>>, vector<4xf32>
            %30:4 = vector.to_elements %29 : vector<4xf32>
            %d = arith.subf %30#0, %x : f32
            %next = arith.addf %arg8, %d : f32
            %d_0 = arith.subf %30#1, %x : f32
            %next_1 = arith.addf %next, %d_0 : f32
            %d_2 = arith.subf %30#2, %x : f32
            %next_3 = arith.addf %next_1, %d_2 : f32
            %d_4 = arith.subf %30#3, %x : f32
            %next_5 = arith.addf %next_3, %d_4 : f32
            scf.yield %next_5 : f32
          }
          scf.yield %27 : f32
        } else {
          %27 = scf.for %arg7 = %c0 to %23 step %c1 iter_args(%arg8 = %arg6) -> (f32) {
            %28 = arith.addi %16, %arg7 : index
            %y = memref.load %0[%28] : memref<?xf32, #gpu.address_space<workgroup>>
            %d = arith.subf %y, %x : f32
            %next = arith.addf %arg8, %d : f32
            scf.yield %next : f32
          }
          scf.yield %27 : f32
        }
        %26 = nvgpu.device_async_create_group {}
        scf.yield %25 : f32
      }
      %14 = arith.cmpi slt, %4, %arg2 : index
      scf.if %14 {
        memref.store %13, %arg4[%4] : memref<?xf32>
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
