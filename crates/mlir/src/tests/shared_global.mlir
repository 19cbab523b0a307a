"builtin.module"() ({
  "gpu.module"() <{sym_name = "shared_module"}> ({
    "memref.global"() <{alignment = 16 : i64, sym_name = "tile", sym_visibility = "private", type = memref<16x17xf32, 3>}> : () -> ()
    "gpu.func"() <{arg_attrs = [{}, {llvm.noalias, llvm.readonly}, {llvm.noalias}], function_type = (index, memref<?xf32, 1>, memref<?xf32>) -> (), known_block_size = array<i32: 16, 16, 1>}> ({
    ^bb0(%arg0: index, %arg1: memref<?xf32, 1>, %arg2: memref<?xf32>):
      %0 = "memref.get_global"() <{name = @tile}> : () -> memref<16x17xf32, 3>
      %1 = "arith.constant"() <{value = 16 : index}> : () -> index
      %2 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %3 = "gpu.thread_id"() <{dimension = #gpu<dim y>}> : () -> index
      %4 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
      %5 = "gpu.block_id"() <{dimension = #gpu<dim y>}> : () -> index
      %6 = "arith.muli"(%4, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %7 = "arith.muli"(%5, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %8 = "arith.addi"(%7, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %9 = "arith.addi"(%6, %2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %10 = "arith.muli"(%8, %arg0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %11 = "arith.addi"(%10, %9) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %12 = "memref.load"(%arg1, %11) : (memref<?xf32, 1>, index) -> f32
      "memref.store"(%12, %0, %3, %2) : (f32, memref<16x17xf32, 3>, index, index) -> ()
      "gpu.barrier"() : () -> ()
      %13 = "memref.load"(%0, %2, %3) : (memref<16x17xf32, 3>, index, index) -> f32
      %14 = "arith.addi"(%6, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %15 = "arith.addi"(%7, %2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %16 = "arith.muli"(%14, %arg0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %17 = "arith.addi"(%16, %15) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      "memref.store"(%13, %arg2, %17) : (f32, memref<?xf32>, index) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "transpose", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

