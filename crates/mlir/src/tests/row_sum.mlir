"builtin.module"() ({
  "gpu.module"() <{sym_name = "row_sum_module"}> ({
    "gpu.func"() <{arg_attrs = [{}, {llvm.noalias, llvm.readonly}, {llvm.noalias}], function_type = (index, memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> (), known_block_size = array<i32: 256, 1, 1>}> ({
    ^bb0(%arg0: index, %arg1: memref<?xf32, #gpu.address_space<global>>, %arg2: memref<?xf32, #gpu.address_space<global>>, %arg3: memref<8xf32, #gpu.address_space<workgroup>>):
      %0 = "arith.constant"() <{value = 0 : index}> : () -> index
      %1 = "arith.constant"() <{value = 1 : index}> : () -> index
      %2 = "arith.constant"() <{value = 8 : index}> : () -> index
      %3 = "arith.constant"() <{value = 32 : index}> : () -> index
      %4 = "arith.constant"() <{value = 256 : index}> : () -> index
      %5 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      %6 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
      %7 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %8 = "arith.muli"(%6, %arg0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %9 = "scf.for"(%7, %arg0, %4, %5) ({
      ^bb0(%arg10: index, %arg11: f32):
        %26 = "arith.addi"(%8, %arg10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %27 = "memref.load"(%arg1, %26) : (memref<?xf32, #gpu.address_space<global>>, index) -> f32
        %28 = "arith.addf"(%arg11, %27) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.yield"(%28) : (f32) -> ()
      }) : (index, index, index, f32) -> f32
      %10 = "arith.constant"() <{value = 32 : i32}> : () -> i32
      %11 = "arith.constant"() <{value = 16 : i32}> : () -> i32
      %12:2 = "scf.while"(%9, %11) ({
      ^bb0(%arg8: f32, %arg9: i32):
        %24 = "arith.constant"() <{value = 0 : i32}> : () -> i32
        %25 = "arith.cmpi"(%arg9, %24) <{predicate = 4 : i64}> : (i32, i32) -> i1
        "scf.condition"(%25, %arg8, %arg9) : (i1, f32, i32) -> ()
      }, {
      ^bb0(%arg6: f32, %arg7: i32):
        %20:2 = "gpu.shuffle"(%arg6, %arg7, %10) <{mode = #gpu<shuffle_mode xor>}> : (f32, i32, i32) -> (f32, i1)
        %21 = "arith.addf"(%arg6, %20#0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %22 = "arith.constant"() <{value = 1 : i32}> : () -> i32
        %23 = "arith.shrui"(%arg7, %22) : (i32, i32) -> i32
        "scf.yield"(%21, %23) : (f32, i32) -> ()
      }) : (f32, i32) -> (f32, i32)
      %13 = "arith.remui"(%7, %3) : (index, index) -> index
      %14 = "arith.divui"(%7, %3) : (index, index) -> index
      %15 = "arith.cmpi"(%13, %0) <{predicate = 0 : i64}> : (index, index) -> i1
      "scf.if"(%15) ({
        "memref.store"(%12#0, %arg3, %14) : (f32, memref<8xf32, #gpu.address_space<workgroup>>, index) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "gpu.barrier"() : () -> ()
      %16 = "arith.cmpi"(%7, %0) <{predicate = 0 : i64}> : (index, index) -> i1
      "scf.if"(%16) ({
        %17 = "scf.for"(%0, %2, %1, %5) ({
        ^bb0(%arg4: index, %arg5: f32):
          %18 = "memref.load"(%arg3, %arg4) : (memref<8xf32, #gpu.address_space<workgroup>>, index) -> f32
          %19 = "arith.addf"(%arg5, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "scf.yield"(%19) : (f32) -> ()
        }) : (index, index, index, f32) -> f32
        "memref.store"(%17, %arg2, %6) : (f32, memref<?xf32, #gpu.address_space<global>>, index) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "row_sum", workgroup_attributions = 1 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

