// pass: builtin.module(lower-checks)
// A check becomes an entry of the error record; the launch passes the record.
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%xs: memref<?xf32>, %i: index, %n: index) workgroup(%shared: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
      %inside = arith.cmpi ult, %i, %n : index
      gpu.check %inside, "index {0} is out of range for an array of {1}" (%i, %n : index, index)
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %shared[%i] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xf32>, %n: index) {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%xs : memref<?xf32>, %n : index, %n : index)
    func.return
  }
}
// ===== expected
builtin.module attributes {gpu.container_module, segra.check_sites = [{column = 7 : i64, file = "input", line = 7 : i64, message = "index {0} is out of range for an array of {1}"}]} {
  gpu.module @kernels {
    gpu.func @k(%xs: memref<?xf32>, %i: index, %n: index, %arg0: memref<?xi64>) workgroup(%arg1: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {segra.error_record} {
      %inside = arith.cmpi ult, %i, %n : index
      %true = arith.constant true
      %0 = arith.xori %inside, %true : i1
      scf.if %0 {
        %c0 = arith.constant 0 : index
        %c4294967296_i64 = arith.constant 4294967296 : i64
        %1 = memref.atomic_rmw ori %c4294967296_i64, %arg0[%c0] : (i64, memref<?xi64>) -> i64
        %c0_i64 = arith.constant 0 : i64
        %2 = arith.cmpi eq, %1, %c0_i64 : i64
        scf.if %2 {
          %c1 = arith.constant 1 : index
          %3 = arith.index_cast %i : index to i64
          memref.store %3, %arg0[%c1] : memref<?xi64>
          %c2 = arith.constant 2 : index
          %4 = arith.index_cast %n : index to i64
          memref.store %4, %arg0[%c2] : memref<?xi64>
          %c4294967297_i64 = arith.constant 4294967297 : i64
          %c0_0 = arith.constant 0 : index
          memref.store %c4294967297_i64, %arg0[%c0_0] : memref<?xi64>
        }
      }
      %zero = arith.constant 0.000000e+00 : f32
      memref.store %zero, %arg1[%i] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xf32>, %n: index) {
    %c4 = arith.constant 4 : index
    %0 = gpu.alloc (%c4) {segra.error_record} : memref<?xi64>
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%xs : memref<?xf32>, %n : index, %n : index, %0 : memref<?xi64>)
    func.return
  }
}
