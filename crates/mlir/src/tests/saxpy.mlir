"builtin.module"() ({
  "gpu.module"() <{sym_name = "saxpy_module"}> ({
    "gpu.func"() <{arg_attrs = [{}, {}, {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, {llvm.align = 16 : i64, llvm.noalias}], function_type = (f32, index, memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> (), known_block_size = array<i32: 256, 1, 1>}> ({
    ^bb0(%arg0: f32, %arg1: index, %arg2: memref<?xf32, #gpu.address_space<global>>, %arg3: memref<?xf32, #gpu.address_space<global>>):
      %0 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
      %1 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %2 = "arith.constant"() <{value = 256 : index}> : () -> index
      %3 = "arith.muli"(%0, %2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %4 = "arith.addi"(%3, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %5 = "arith.cmpi"(%4, %arg1) <{predicate = 2 : i64}> : (index, index) -> i1
      "scf.if"(%5) ({
        %6 = "memref.load"(%arg2, %4) : (memref<?xf32, #gpu.address_space<global>>, index) -> f32
        %7 = "memref.load"(%arg3, %4) : (memref<?xf32, #gpu.address_space<global>>, index) -> f32
        %8 = "arith.mulf"(%arg0, %6) <{fastmath = #arith.fastmath<contract>}> : (f32, f32) -> f32
        %9 = "arith.addf"(%8, %7) <{fastmath = #arith.fastmath<contract>}> : (f32, f32) -> f32
        "memref.store"(%9, %arg3, %4) : (f32, memref<?xf32, #gpu.address_space<global>>, index) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "saxpy", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

