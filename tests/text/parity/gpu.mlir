// parity
// Ops of `gpu` that stand by themselves; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> index
    %v1 = "gpu.alloc"(%v0) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (index) -> (memref<?xf32>)
    %v2 = "foo.val"() : () -> !gpu.async.token
    %v3:2 = "gpu.alloc"(%v2) <{hostShared, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!gpu.async.token) -> (memref<4xf32>, !gpu.async.token)
    %v4 = "foo.val"() : () -> !gpu.async.token
    %v5 = "foo.val"() : () -> memref<4xf32>
    %v6 = "gpu.dealloc"(%v4, %v5) : (!gpu.async.token, memref<4xf32>) -> (!gpu.async.token)
    %v7 = "foo.val"() : () -> memref<?xf32, 1>
    %v8 = "foo.val"() : () -> memref<4xf32>
    "gpu.memcpy"(%v7, %v8) : (memref<?xf32, 1>, memref<4xf32>) -> ()
    %v9 = "foo.val"() : () -> memref<4xf32>
    %v10 = "foo.val"() : () -> f32
    "gpu.memset"(%v9, %v10) : (memref<4xf32>, f32) -> ()
    %v11 = "foo.val"() : () -> !gpu.async.token
    %v12 = "foo.val"() : () -> !gpu.async.token
    %v13 = "gpu.wait"(%v11, %v12) : (!gpu.async.token, !gpu.async.token) -> (!gpu.async.token)
    %v14 = "foo.val"() : () -> memref<*xf32>
    "gpu.host_register"(%v14) : (memref<*xf32>) -> ()
    %v15 = "foo.val"() : () -> memref<*xf32>
    "gpu.host_unregister"(%v15) : (memref<*xf32>) -> ()
    %v16 = "foo.val"() : () -> i32
    "gpu.set_default_device"(%v16) : (i32) -> ()
    %v17 = "foo.val"() : () -> i32
    %v18 = "foo.val"() : () -> f32
    "gpu.printf"(%v17, %v18) <{format = "%d %f"}> : (i32, f32) -> ()
    "gpu.barrier"() : () -> ()
    %v19 = "gpu.thread_id"() <{dimension = #gpu<dim x>, upper_bound = 64 : index}> : () -> (index)
    %v20 = "gpu.block_id"() <{dimension = #gpu<dim y>}> : () -> (index)
    %v21 = "gpu.block_dim"() <{dimension = #gpu<dim z>}> : () -> (index)
    %v22 = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> (index)
    %v23 = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> (index)
    %v24 = "gpu.cluster_id"() <{dimension = #gpu<dim x>}> : () -> (index)
    %v25 = "gpu.cluster_dim"() <{dimension = #gpu<dim x>}> : () -> (index)
    %v26 = "gpu.cluster_dim_blocks"() <{dimension = #gpu<dim x>}> : () -> (index)
    %v27 = "gpu.cluster_block_id"() <{dimension = #gpu<dim x>}> : () -> (index)
    %v28 = "gpu.lane_id"() <{upper_bound = 32 : index}> : () -> (index)
    %v29 = "gpu.subgroup_id"() : () -> (index)
    %v30 = "gpu.num_subgroups"() : () -> (index)
    %v31 = "gpu.subgroup_size"() : () -> (index)
    %v32 = "gpu.dynamic_shared_memory"() : () -> (memref<?xi8, #gpu.address_space<workgroup>>)
    %v33 = "foo.val"() : () -> vector<4xf16>
    %v34 = "foo.val"() : () -> i32
    %v35 = "foo.val"() : () -> i32
    %v36:2 = "gpu.shuffle"(%v33, %v34, %v35) <{mode = #gpu<shuffle_mode up>}> : (vector<4xf16>, i32, i32) -> (vector<4xf16>, i1)
    %v37 = "foo.val"() : () -> f32
    %v38:2 = "gpu.rotate"(%v37) <{offset = 4 : i32, width = 16 : i32}> : (f32) -> (f32, i1)
    %v39 = "foo.val"() : () -> f32
    %v40 = "foo.val"() : () -> i32
    %v41 = "gpu.subgroup_broadcast"(%v39, %v40) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32, i32) -> (f32)
    %v42 = "foo.val"() : () -> f32
    %v43 = "gpu.subgroup_reduce"(%v42) <{cluster_size = 8 : i32, cluster_stride = 2 : i32, op = #gpu<all_reduce_op maxnumf>, uniform}> : (f32) -> (f32)
    %v44 = "foo.val"() : () -> memref<32x32xf16>
    %v45 = "foo.val"() : () -> index
    %v46 = "foo.val"() : () -> index
    %v47 = "gpu.subgroup_mma_load_matrix"(%v44, %v45, %v46) <{leadDimension = 32 : index}> : (memref<32x32xf16>, index, index) -> (!gpu.mma_matrix<16x16xf16, "AOp">)
    %v48 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf32, "COp">
    %v49 = "foo.val"() : () -> memref<32x32xf32>
    %v50 = "foo.val"() : () -> index
    %v51 = "foo.val"() : () -> index
    "gpu.subgroup_mma_store_matrix"(%v48, %v49, %v50, %v51) <{leadDimension = 32 : index, transpose}> : (!gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32>, index, index) -> ()
    %v52 = "foo.val"() : () -> !gpu.mma_matrix<16x8xf16, "AOp">
    %v53 = "foo.val"() : () -> !gpu.mma_matrix<8x16xf16, "BOp">
    %v54 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf32, "COp">
    %v55 = "gpu.subgroup_mma_compute"(%v52, %v53, %v54) <{a_transpose}> : (!gpu.mma_matrix<16x8xf16, "AOp">, !gpu.mma_matrix<8x16xf16, "BOp">, !gpu.mma_matrix<16x16xf32, "COp">) -> (!gpu.mma_matrix<16x16xf32, "COp">)
    %v56 = "foo.val"() : () -> f32
    %v57 = "gpu.subgroup_mma_constant_matrix"(%v56) : (f32) -> (!gpu.mma_matrix<16x16xf32, "COp">)
    %v58 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf32, "COp">
    %v59 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf32, "COp">
    %v60 = "gpu.subgroup_mma_elementwise"(%v58, %v59) <{opType = #gpu<mma_element_wise addf>}> : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> (!gpu.mma_matrix<16x16xf32, "COp">)
    %v61 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf32, "COp">
    %v62 = "foo.val"() : () -> index
    %v63 = "gpu.subgroup_mma_extract_thread_local"(%v61, %v62) : (!gpu.mma_matrix<16x16xf32, "COp">, index) -> (f32)
    %v64 = "foo.val"() : () -> f32
    %v65 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf32, "COp">
    %v66 = "foo.val"() : () -> index
    %v67 = "gpu.subgroup_mma_insert_thread_local"(%v64, %v65, %v66) : (f32, !gpu.mma_matrix<16x16xf32, "COp">, index) -> (!gpu.mma_matrix<16x16xf32, "COp">)
    %v68 = "foo.val"() : () -> index
    %v69 = "foo.val"() : () -> index
    %v70 = "foo.val"() : () -> memref<?xf16>
    %v71 = "gpu.create_2to4_spmat"(%v68, %v69, %v70) <{pruneFlag = #gpu<prune_2to4_spmat_flag PRUNE_AND_CHECK>}> : (index, index, memref<?xf16>) -> (!gpu.sparse.spmat_handle)
    %v72 = "foo.val"() : () -> index
    %v73 = "foo.val"() : () -> index
    %v74 = "foo.val"() : () -> index
    %v75 = "foo.val"() : () -> index
    %v76 = "foo.val"() : () -> index
    %v77 = "foo.val"() : () -> memref<?xindex>
    %v78 = "foo.val"() : () -> memref<?xindex>
    %v79 = "foo.val"() : () -> memref<?xf64>
    %v80 = "gpu.create_bsr"(%v72, %v73, %v74, %v75, %v76, %v77, %v78, %v79) : (index, index, index, index, index, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> (!gpu.sparse.spmat_handle)
    %v81 = "foo.val"() : () -> !gpu.async.token
    %v82 = "foo.val"() : () -> index
    %v83 = "foo.val"() : () -> index
    %v84 = "foo.val"() : () -> index
    %v85 = "foo.val"() : () -> memref<?xindex>
    %v86 = "foo.val"() : () -> memref<?xindex>
    %v87 = "foo.val"() : () -> memref<?xf64>
    %v88:2 = "gpu.create_coo"(%v81, %v82, %v83, %v84, %v85, %v86, %v87) : (!gpu.async.token, index, index, index, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> (!gpu.sparse.spmat_handle, !gpu.async.token)
    %v89 = "foo.val"() : () -> index
    %v90 = "foo.val"() : () -> index
    %v91 = "foo.val"() : () -> index
    %v92 = "foo.val"() : () -> memref<?xindex>
    %v93 = "foo.val"() : () -> memref<?xf64>
    %v94 = "gpu.create_coo_aos"(%v89, %v90, %v91, %v92, %v93) : (index, index, index, memref<?xindex>, memref<?xf64>) -> (!gpu.sparse.spmat_handle)
    %v95 = "foo.val"() : () -> index
    %v96 = "foo.val"() : () -> index
    %v97 = "foo.val"() : () -> index
    %v98 = "foo.val"() : () -> memref<?xindex>
    %v99 = "foo.val"() : () -> memref<?xindex>
    %v100 = "foo.val"() : () -> memref<?xf64>
    %v101 = "gpu.create_csc"(%v95, %v96, %v97, %v98, %v99, %v100) : (index, index, index, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> (!gpu.sparse.spmat_handle)
    %v102 = "foo.val"() : () -> index
    %v103 = "foo.val"() : () -> index
    %v104 = "foo.val"() : () -> index
    %v105 = "foo.val"() : () -> memref<?xindex>
    %v106 = "foo.val"() : () -> memref<?xindex>
    %v107 = "foo.val"() : () -> memref<?xf64>
    %v108 = "gpu.create_csr"(%v102, %v103, %v104, %v105, %v106, %v107) : (index, index, index, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> (!gpu.sparse.spmat_handle)
    %v109 = "foo.val"() : () -> memref<?x?xf64>
    %v110 = "foo.val"() : () -> index
    %v111 = "foo.val"() : () -> index
    %v112 = "gpu.create_dn_tensor"(%v109, %v110, %v111) <{operandSegmentSizes = array<i32: 0, 1, 2>}> : (memref<?x?xf64>, index, index) -> (!gpu.sparse.dntensor_handle)
    %v113 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    "gpu.destroy_dn_tensor"(%v113) : (!gpu.sparse.dntensor_handle) -> ()
    %v114 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    "gpu.destroy_sp_mat"(%v114) : (!gpu.sparse.spmat_handle) -> ()
    %v115 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v116 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v117 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v118 = "foo.val"() : () -> memref<?xi8>
    "gpu.sddmm"(%v115, %v116, %v117, %v118) <{computeType = f64, modeA = #gpu<mat_transpose_mode NON_TRANSPOSE>, modeB = #gpu<mat_transpose_mode TRANSPOSE>}> : (!gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.spmat_handle, memref<?xi8>) -> ()
    %v119 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v120 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v121 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v122 = "gpu.sddmm_buffer_size"(%v119, %v120, %v121) <{computeType = f64}> : (!gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.spmat_handle) -> (index)
    %v123 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v124 = "foo.val"() : () -> memref<?xindex>
    %v125 = "foo.val"() : () -> memref<?xindex>
    %v126 = "foo.val"() : () -> memref<?xf64>
    "gpu.set_csr_pointers"(%v123, %v124, %v125, %v126) : (!gpu.sparse.spmat_handle, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> ()
    %v127 = "foo.val"() : () -> !gpu.sparse.spgemmop_handle
    %v128 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v129 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v130 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    "gpu.spgemm_copy"(%v127, %v128, %v129, %v130) <{computeType = f32}> : (!gpu.sparse.spgemmop_handle, !gpu.sparse.spmat_handle, !gpu.sparse.spmat_handle, !gpu.sparse.spmat_handle) -> ()
    %v131 = "gpu.spgemm_create_descr"() : () -> (!gpu.sparse.spgemmop_handle)
    %v132 = "foo.val"() : () -> !gpu.sparse.spgemmop_handle
    "gpu.spgemm_destroy_descr"(%v132) : (!gpu.sparse.spgemmop_handle) -> ()
    %v133 = "foo.val"() : () -> !gpu.sparse.spgemmop_handle
    %v134 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v135 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v136 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v137 = "foo.val"() : () -> index
    %v138 = "foo.val"() : () -> memref<?xi8>
    %v139 = "gpu.spgemm_work_estimation_or_compute"(%v133, %v134, %v135, %v136, %v137, %v138) <{computeType = f32, kind = #gpu<spgemm_work_estimation_or_compute_kind COMPUTE>}> : (!gpu.sparse.spgemmop_handle, !gpu.sparse.spmat_handle, !gpu.sparse.spmat_handle, !gpu.sparse.spmat_handle, index, memref<?xi8>) -> (index)
    %v140 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v141:3 = "gpu.spmat_get_size"(%v140) : (!gpu.sparse.spmat_handle) -> (index, index, index)
    %v142 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v143 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v144 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v145 = "foo.val"() : () -> memref<?xi8>
    "gpu.spmm"(%v142, %v143, %v144, %v145) <{computeType = f64, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1>}> : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle, memref<?xi8>) -> ()
    %v146 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v147 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v148 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v149 = "gpu.spmm_buffer_size"(%v146, %v147, %v148) <{computeType = f64, resultSegmentSizes = array<i32: 1, 0>}> : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle) -> (index)
    %v150 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v151 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v152 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v153 = "foo.val"() : () -> memref<?xi8>
    "gpu.spmv"(%v150, %v151, %v152, %v153) <{computeType = f64}> : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle, memref<?xi8>) -> ()
    %v154 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v155 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v156 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v157 = "gpu.spmv_buffer_size"(%v154, %v155, %v156) <{computeType = f64}> : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle) -> (index)
    "func.return"() : () -> ()
  }) : () -> ()
  "gpu.module"() <{sym_name = "kernels"}> ({
    "gpu.func"() <{function_type = (f32) -> ()}> ({
    ^bb0(%arg0: f32, %arg1: memref<32xf32, #gpu.address_space<workgroup>>, %arg2: memref<1xf32, #gpu.address_space<private>>):
      %0 = "gpu.all_reduce"(%arg0) <{op = #gpu<all_reduce_op add>}> ({
      }) : (f32) -> f32
      %1 = "gpu.all_reduce"(%arg0) ({
      ^bb0(%arg3: f32, %arg4: f32):
        %2 = "arith.maximumf"(%arg3, %arg4) : (f32, f32) -> f32
        "gpu.yield"(%2) : (f32) -> ()
      }) : (f32) -> f32
      %3 = "gpu.lane_id"() : () -> index
      %4 = "gpu.warp_execute_on_lane_0"(%3) <{warp_size = 32 : i64}> ({
        %5 = "foo.val"() : () -> vector<64xf32>
        "gpu.yield"(%5) : (vector<64xf32>) -> ()
      }) : (index) -> vector<2xf32>
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "kernel", workgroup_attributions = 1 : i64} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, f32) -> (), sym_name = "host"}> ({
  ^bb0(%arg0: index, %arg1: f32):
    "gpu.launch_func"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg1) <{kernel = @kernels::@kernel, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, f32) -> ()
    "gpu.launch"(%arg0, %arg0, %arg0, %arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%b0: index, %b1: index, %b2: index, %b3: index, %b4: index, %b5: index, %b6: index, %b7: index, %b8: index, %b9: index, %b10: index, %b11: index):
      "gpu.terminator"() : () -> ()
    }) : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "gpu.binary"() <{objects = [#gpu.object<#nvvm.target, "text">], sym_name = "compiled"}> : () -> ()
}) {gpu.container_module} : () -> ()
// -----
// An extent is missing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "gpu.alloc"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> (memref<?xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The elements differ.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32>
    %v1 = "foo.val"() : () -> memref<4xi32>
    "gpu.memcpy"(%v0, %v1) : (memref<4xf32>, memref<4xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The value has another type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32>
    %v1 = "foo.val"() : () -> i32
    "gpu.memset"(%v0, %v1) : (memref<4xf32>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A token is no number.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i32
    "gpu.wait"(%v0) : (i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Registered memory has no rank.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32>
    "gpu.host_register"(%v0) : (memref<4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is no such dimension.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "gpu.thread_id"() <{dimension = 0 : i32}> : () -> (index)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A bound is of type index.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "gpu.lane_id"() <{upper_bound = 32 : i32}> : () -> (index)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// It is workgroup memory.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "gpu.dynamic_shared_memory"() : () -> (memref<?xi8>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Both have one type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "foo.val"() : () -> i32
    %v2 = "foo.val"() : () -> i32
    %v3:2 = "gpu.shuffle"(%v0, %v1, %v2) <{mode = #gpu<shuffle_mode up>}> : (f32, i32, i32) -> (f64, i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The offset is below the width.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1:2 = "gpu.rotate"(%v0) <{offset = 16 : i32, width = 16 : i32}> : (f32) -> (f32, i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A lane is missing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "gpu.subgroup_broadcast"(%v0) <{broadcast_type = #gpu<broadcast specific_lane>}> : (f32) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Floats have no bits to combine.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "gpu.subgroup_reduce"(%v0) <{op = #gpu<all_reduce_op and>}> : (f32) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A stride needs a size.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "gpu.subgroup_reduce"(%v0) <{cluster_stride = 2 : i32, op = #gpu<all_reduce_op add>}> : (f32) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Only sums are stored.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf32, "AOp">
    %v1 = "foo.val"() : () -> memref<32x32xf32>
    %v2 = "foo.val"() : () -> index
    %v3 = "foo.val"() : () -> index
    "gpu.subgroup_mma_store_matrix"(%v0, %v1, %v2, %v3) <{leadDimension = 32 : index}> : (!gpu.mma_matrix<16x16xf32, "AOp">, memref<32x32xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The extents are no product.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> !gpu.mma_matrix<16x8xf16, "AOp">
    %v1 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf16, "BOp">
    %v2 = "foo.val"() : () -> !gpu.mma_matrix<16x16xf32, "COp">
    %v3 = "gpu.subgroup_mma_compute"(%v0, %v1, %v2) : (!gpu.mma_matrix<16x8xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x16xf32, "COp">) -> (!gpu.mma_matrix<16x16xf32, "COp">)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The elements differ.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f16
    %v1 = "gpu.subgroup_mma_constant_matrix"(%v0) : (f16) -> (!gpu.mma_matrix<16x16xf32, "COp">)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The handle is one of a tensor.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    "gpu.destroy_sp_mat"(%v0) : (!gpu.sparse.dntensor_handle) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The type of the computation is missing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> !gpu.sparse.spmat_handle
    %v1 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v2 = "foo.val"() : () -> !gpu.sparse.dntensor_handle
    %v3 = "gpu.spmv_buffer_size"(%v0, %v1, %v2) : (!gpu.sparse.spmat_handle, !gpu.sparse.dntensor_handle, !gpu.sparse.dntensor_handle) -> (index)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Integers have no sign.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> si32
    %r:2 = "gpu.rotate"(%v0) <{offset = 4 : i32, width = 16 : i32}> : (si32) -> (si32, i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
// -----
// Those of a vector neither.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xui8>
    %r:2 = "gpu.rotate"(%v0) <{offset = 4 : i32, width = 16 : i32}> : (vector<4xui8>) -> (vector<4xui8>, i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
// -----
// Nor those that a subgroup reduces.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> si32
    %r = "gpu.subgroup_reduce"(%v0) <{op = #gpu<all_reduce_op add>}> : (si32) -> (si32)
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
// -----
// Not even elements of a matrix that have one.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> !gpu.mma_matrix<16x16xsi8, "COp">
    %v1 = "foo.val"() : () -> index
    %r = "gpu.subgroup_mma_extract_thread_local"(%v0, %v1) : (!gpu.mma_matrix<16x16xsi8, "COp">, index) -> (si8)
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
