// pass: builtin.module(lower-checks)
// A thread whose check has failed enters no further iteration, but of a loop in which threads wait for each other.
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%xs: memref<?xindex>, %i: index, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %last = scf.while (%at = %i) : (index) -> index {
        %more = arith.cmpi ne, %at, %c0 : index
        scf.condition(%more) %at : index
      } do {
      ^bb0(%at: index):
        %inside = arith.cmpi ult, %at, %n : index
        %next = check.require %inside, %at else %n : index, index, "index {0} is out of range"(%at : index)
        scf.yield %next : index
      }
      %end = scf.while (%at = %last) : (index) -> index {
        gpu.barrier
        %more = arith.cmpi ne, %at, %c0 : index
        scf.condition(%more) %at : index
      } do {
      ^bb0(%at: index):
        %next = arith.shrui %at, %n : index
        scf.yield %next : index
      }
      memref.store %end, %xs[%c0] : memref<?xindex>
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xindex>, %n: index) {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%xs : memref<?xindex>, %n : index, %n : index)
    func.return
  }
}
// ===== expected
builtin.module attributes {gpu.container_module, segra.check_sites = [{column = 17 : i64, file = "input", line = 13 : i64, message = "index {0} is out of range"}]} {
  gpu.module @kernels {
    gpu.func @k(%xs: memref<?xindex>, %i: index, %n: index, %arg0: memref<?xi64>) kernel attributes {segra.error_record} {
      %0 = memref.alloca() : memref<i1>
      %false = arith.constant false
      memref.store %false, %0[] : memref<i1>
      %c0 = arith.constant 0 : index
      %last = scf.while (%at = %i) : (index) -> index {
        %more = arith.cmpi ne, %at, %c0 : index
        %1 = memref.load %0[] : memref<i1>
        %true = arith.constant true
        %2 = arith.xori %1, %true : i1
        %3 = arith.andi %more, %2 : i1
        scf.condition(%3) %at : index
      } do {
      ^bb0(%at: index):
        %inside = arith.cmpi ult, %at, %n : index
        %true = arith.constant true
        %1 = arith.xori %inside, %true : i1
        scf.if %1 {
          %true_0 = arith.constant true
          memref.store %true_0, %0[] : memref<i1>
          %c0_1 = arith.constant 0 : index
          %c4294967296_i64 = arith.constant 4294967296 : i64
          %3 = memref.atomic_rmw ori %c4294967296_i64, %arg0[%c0_1] : (i64, memref<?xi64>) -> i64
          %c0_i64 = arith.constant 0 : i64
          %4 = arith.cmpi eq, %3, %c0_i64 : i64
          scf.if %4 {
            %c1 = arith.constant 1 : index
            %5 = arith.index_cast %at : index to i64
            memref.store %5, %arg0[%c1] : memref<?xi64>
            %c4294967297_i64 = arith.constant 4294967297 : i64
            %c0_2 = arith.constant 0 : index
            memref.store %c4294967297_i64, %arg0[%c0_2] : memref<?xi64>
          }
        }
        %2 = arith.select %inside, %at, %n : index
        scf.yield %2 : index
      }
      %end = scf.while (%at = %last) : (index) -> index {
        gpu.barrier
        %more = arith.cmpi ne, %at, %c0 : index
        scf.condition(%more) %at : index
      } do {
      ^bb0(%at: index):
        %next = arith.shrui %at, %n : index
        scf.yield %next : index
      }
      memref.store %end, %xs[%c0] : memref<?xindex>
      gpu.return
    }
  }
  func.func @main(%xs: memref<?xindex>, %n: index) {
    %c4 = arith.constant 4 : index
    %0 = gpu.alloc (%c4) {segra.error_record} : memref<?xi64>
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%xs : memref<?xindex>, %n : index, %n : index, %0 : memref<?xi64>)
    func.return
  }
}
