// pass: builtin.module(array-to-kernel-one,func.func(choose-mapping),lower-to-gpu,canonicalize,cse,dce,update-in-place,free-memory)
// A loop that updates one array in every step copies it once, before the first; other steps change it in place.
func.func @main(%xs: !array.array<[n]f32>, %steps: index) -> !array.array<[n]f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = array.dim %xs, 0 : [n]f32
  %is = array.iota %one : [1]index
  %ys = scf.for %step = %zero to %steps step %one iter_args(%state = %xs) -> (!array.array<[n]f32>) {
    %next = array.scatter (%i in %is : [1]index) into (%state : [n]f32) {
      %number = arith.index_cast %step : index to i32
      %value = arith.sitofp %number : i32 to f32
      array.yield %step, %value : index, f32
    }
    scf.yield %next : !array.array<[n]f32>
  }
  func.return %ys : !array.array<[n]f32>
}
// ===== expected
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @main_scatter_0(%arg0: index, %arg1: memref<?xf32>, %arg2: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>, mapping = "GridBlock(1, SplitLast(32, ShiftLB(Gen)))", summary = "scatter at level thread over 1"} {
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %0 = gpu.block_id x
      %1 = gpu.thread_id x
      %2 = arith.muli %0, %c32 : index
      %3 = arith.addi %2, %1 : index
      %4 = arith.cmpi slt, %3, %c1 : index
      scf.if %4 {
        %number = arith.index_cast %arg0 : index to i32
        %value = arith.sitofp %number : i32 to f32
        %5 = arith.cmpi ult, %arg0, %arg2 : index
        scf.if %5 {
          memref.store %value, %arg1[%arg0] : memref<?xf32>
        }
      }
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xf32> {array.sizes = ["n"]}, %steps: index) -> (memref<?xf32> {array.sizes = ["n"]}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %ys = scf.for %step = %zero to %steps step %one iter_args(%state = %xs) -> (memref<?xf32>) {
      %0 = memref.dim %state, %zero : memref<?xf32>
      %1 = arith.cmpi eq, %step, %zero : index
      %2 = scf.if %1 -> (memref<?xf32>) {
        %3 = gpu.alloc (%0) : memref<?xf32>
        gpu.memcpy %3, %state : memref<?xf32>, memref<?xf32>
        scf.yield %3 : memref<?xf32>
      } else {
        scf.yield %state : memref<?xf32>
      }
      gpu.launch_func @kernels::@main_scatter_0 blocks in (%one, %one, %one) threads in (%c32, %one, %one) args(%step : index, %2 : memref<?xf32>, %0 : index)
      scf.yield %2 : memref<?xf32>
    }
    func.return %ys : memref<?xf32>
  }
}
