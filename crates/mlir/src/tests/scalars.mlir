"builtin.module"() ({
  "gpu.module"() <{sym_name = "scalars_module"}> ({
    "gpu.func"() <{function_type = (i1, i8, i16, i32, i64, f16, bf16, f64, memref<?xi1, #gpu.address_space<global>>, memref<?xf64, #gpu.address_space<global>>, memref<?xf16, #gpu.address_space<global>>, memref<?xbf16, #gpu.address_space<global>>) -> ()}> ({
    ^bb0(%arg0: i1, %arg1: i8, %arg2: i16, %arg3: i32, %arg4: i64, %arg5: f16, %arg6: bf16, %arg7: f64, %arg8: memref<?xi1, #gpu.address_space<global>>, %arg9: memref<?xf64, #gpu.address_space<global>>, %arg10: memref<?xf16, #gpu.address_space<global>>, %arg11: memref<?xbf16, #gpu.address_space<global>>):
      %0 = "arith.constant"() <{value = 0 : index}> : () -> index
      %1 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      "memref.store"(%arg0, %arg8, %1) : (i1, memref<?xi1, #gpu.address_space<global>>, index) -> ()
      %2 = "arith.extsi"(%arg1) : (i8) -> i64
      %3 = "arith.extsi"(%arg2) : (i16) -> i64
      %4 = "arith.extsi"(%arg3) : (i32) -> i64
      %5 = "arith.addi"(%2, %3) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %6 = "arith.addi"(%5, %4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %7 = "arith.addi"(%6, %arg4) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %8 = "arith.sitofp"(%7) : (i64) -> f64
      %9 = "arith.addf"(%8, %arg7) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "memref.store"(%9, %arg9, %1) : (f64, memref<?xf64, #gpu.address_space<global>>, index) -> ()
      %10 = "memref.load"(%arg8, %0) : (memref<?xi1, #gpu.address_space<global>>, index) -> i1
      %11 = "arith.mulf"(%arg5, %arg5) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f16
      %12 = "arith.mulf"(%arg6, %arg6) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %13 = "arith.select"(%10, %arg5, %11) : (i1, f16, f16) -> f16
      "memref.store"(%13, %arg10, %1) : (f16, memref<?xf16, #gpu.address_space<global>>, index) -> ()
      "memref.store"(%12, %arg11, %1) : (bf16, memref<?xbf16, #gpu.address_space<global>>, index) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "scalars", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

