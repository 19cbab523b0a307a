"builtin.module"() ({
  "gpu.module"() <{sym_name = "atomics_module"}> ({
    "gpu.func"() <{arg_attrs = [{}, {llvm.noalias, llvm.readonly}, {}, {}, {}], function_type = (index, memref<?xi32, #gpu.address_space<global>>, memref<?xi32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>, memref<?xf64, #gpu.address_space<global>>) -> (), known_block_size = array<i32: 256, 1, 1>}> ({
    ^bb0(%arg0: index, %arg1: memref<?xi32, #gpu.address_space<global>>, %arg2: memref<?xi32, #gpu.address_space<global>>, %arg3: memref<?xf32, #gpu.address_space<global>>, %arg4: memref<?xf64, #gpu.address_space<global>>, %arg5: memref<256xi32, #gpu.address_space<workgroup>>):
      %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
      %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
      %2 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
      %3 = "arith.constant"() <{value = 1.000000e+00 : f64}> : () -> f64
      %4 = "arith.constant"() <{value = 0 : index}> : () -> index
      %5 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      "memref.store"(%0, %arg5, %5) : (i32, memref<256xi32, #gpu.address_space<workgroup>>, index) -> ()
      "gpu.barrier"() : () -> ()
      %6 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
      %7 = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
      %8 = "arith.muli"(%6, %7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %9 = "arith.addi"(%8, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %10 = "arith.cmpi"(%9, %arg0) <{predicate = 6 : i64}> : (index, index) -> i1
      "scf.if"(%10) ({
        %13 = "memref.load"(%arg1, %9) : (memref<?xi32, #gpu.address_space<global>>, index) -> i32
        %14 = "arith.index_castui"(%13) : (i32) -> index
        %15 = "memref.atomic_rmw"(%1, %arg5, %14) <{kind = 1 : i64}> : (i32, memref<256xi32, #gpu.address_space<workgroup>>, index) -> i32
        %16 = "memref.atomic_rmw"(%13, %arg2, %4) <{kind = 6 : i64}> : (i32, memref<?xi32, #gpu.address_space<global>>, index) -> i32
        %17 = "memref.atomic_rmw"(%2, %arg3, %4) <{kind = 0 : i64}> : (f32, memref<?xf32, #gpu.address_space<global>>, index) -> f32
        %18 = "memref.atomic_rmw"(%3, %arg4, %4) <{kind = 0 : i64}> : (f64, memref<?xf64, #gpu.address_space<global>>, index) -> f64
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "gpu.barrier"() : () -> ()
      %11 = "memref.load"(%arg5, %5) : (memref<256xi32, #gpu.address_space<workgroup>>, index) -> i32
      %12 = "memref.atomic_rmw"(%11, %arg2, %5) <{kind = 1 : i64}> : (i32, memref<?xi32, #gpu.address_space<global>>, index) -> i32
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "histogram", workgroup_attributions = 1 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

