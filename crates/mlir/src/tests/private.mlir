"builtin.module"() ({
  "gpu.module"() <{sym_name = "private_module"}> ({
    "gpu.func"() <{arg_attrs = [{}, {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, {llvm.align = 16 : i64, llvm.noalias}], function_type = (index, memref<?xf32, #gpu.address_space<global>>, memref<?x4xf32, #gpu.address_space<global>>) -> (), known_block_size = array<i32: 128, 1, 1>}> ({
    ^bb0(%arg0: index, %arg1: memref<?xf32, #gpu.address_space<global>>, %arg2: memref<?x4xf32, #gpu.address_space<global>>):
      %0 = "arith.constant"() <{value = 0 : index}> : () -> index
      %1 = "arith.constant"() <{value = 1 : index}> : () -> index
      %2 = "arith.constant"() <{value = 4 : index}> : () -> index
      %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      %4 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %5 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
      "scf.for"(%0, %2, %1) ({
      ^bb0(%arg6: index):
        "memref.store"(%3, %5, %arg6) : (f32, memref<4xf32>, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      %6 = "arith.constant"() <{value = 512 : index}> : () -> index
      %7 = "arith.muli"(%4, %2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      "scf.for"(%7, %arg0, %6) ({
      ^bb0(%arg4: index):
        %9 = "vector.load"(%arg1, %arg4) <{alignment = 16 : i64}> : (memref<?xf32, #gpu.address_space<global>>, index) -> vector<4xf32>
        "scf.for"(%0, %2, %1) ({
        ^bb0(%arg5: index):
          %10 = "vector.extract"(%9, %arg5) <{static_position = array<i64: -9223372036854775808>}> : (vector<4xf32>, index) -> f32
          %11 = "memref.load"(%5, %arg5) : (memref<4xf32>, index) -> f32
          %12 = "arith.addf"(%11, %10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "memref.store"(%12, %5, %arg5) : (f32, memref<4xf32>, index) -> ()
          "scf.yield"() : () -> ()
        }) : (index, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.for"(%0, %2, %1) ({
      ^bb0(%arg3: index):
        %8 = "memref.load"(%5, %arg3) : (memref<4xf32>, index) -> f32
        "memref.store"(%8, %arg2, %4, %arg3) : (f32, memref<?x4xf32, #gpu.address_space<global>>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "accumulate", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()

