// parity
// Ops of `vector`; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<2x4xf32>
    %v1 = "vector.bitcast"(%v0) : (vector<2x4xf32>) -> (vector<2x8xf16>)
    %v2 = "foo.val"() : () -> vector<1x4xf32>
    %v3 = "vector.broadcast"(%v2) : (vector<1x4xf32>) -> (vector<3x2x4xf32>)
    %v4 = "foo.val"() : () -> f32
    %v5 = "vector.broadcast"(%v4) : (f32) -> (vector<[4]xf32>)
    %v6 = "foo.val"() : () -> memref<?xf32>
    %v7 = "foo.val"() : () -> index
    %v8 = "foo.val"() : () -> vector<4xi1>
    %v9 = "foo.val"() : () -> vector<4xf32>
    "vector.compressstore"(%v6, %v7, %v8, %v9) : (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> ()
    %v10 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 2, 3>}> : () -> (vector<4x4xi1>)
    %v11 = "foo.val"() : () -> vector<4x8xf32>
    %v12 = "foo.val"() : () -> vector<8x2xf32>
    %v13 = "foo.val"() : () -> vector<4x2xf32>
    %v14 = "vector.contract"(%v11, %v12, %v13) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4x8xf32>, vector<8x2xf32>, vector<4x2xf32>) -> (vector<4x2xf32>)
    %v15 = "foo.val"() : () -> index
    %v16 = "foo.val"() : () -> index
    %v17 = "vector.create_mask"(%v15, %v16) : (index, index) -> (vector<4x[4]xi1>)
    %v18 = "foo.val"() : () -> vector<8xf32>
    %v19:2 = "vector.deinterleave"(%v18) : (vector<8xf32>) -> (vector<4xf32>, vector<4xf32>)
    %v20 = "foo.val"() : () -> memref<?xf32>
    %v21 = "foo.val"() : () -> index
    %v22 = "foo.val"() : () -> vector<4xi1>
    %v23 = "foo.val"() : () -> vector<4xf32>
    %v24 = "vector.expandload"(%v20, %v21, %v22, %v23) : (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> (vector<4xf32>)
    %v25 = "foo.val"() : () -> vector<4x8xf32>
    %v26 = "foo.val"() : () -> index
    %v27 = "vector.extract"(%v25, %v26) <{static_position = array<i64: -9223372036854775808>}> : (vector<4x8xf32>, index) -> (vector<8xf32>)
    %v28 = "foo.val"() : () -> vector<4xf32>
    %v29 = "vector.extract"(%v28) <{static_position = array<i64: -1>}> : (vector<4xf32>) -> (f32)
    %v30 = "foo.val"() : () -> vector<4x8xf32>
    %v31 = "vector.extract_strided_slice"(%v30) <{offsets = [1], sizes = [2], strides = [1]}> : (vector<4x8xf32>) -> (vector<2x8xf32>)
    %v32 = "foo.val"() : () -> vector<4xf32>
    %v33 = "foo.val"() : () -> vector<4xf32>
    %v34 = "foo.val"() : () -> vector<4xf32>
    %v35 = "vector.fma"(%v32, %v33, %v34) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> (vector<4xf32>)
    %v36 = "foo.val"() : () -> f32
    %v37 = "foo.val"() : () -> f32
    %v38 = "vector.from_elements"(%v36, %v37) : (f32, f32) -> (vector<2xf32>)
    %v39 = "foo.val"() : () -> memref<?xf32>
    %v40 = "foo.val"() : () -> index
    %v41 = "foo.val"() : () -> vector<4xi32>
    %v42 = "foo.val"() : () -> vector<4xi1>
    %v43 = "foo.val"() : () -> vector<4xf32>
    %v44 = "vector.gather"(%v39, %v40, %v41, %v42, %v43) : (memref<?xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> (vector<4xf32>)
    %v45 = "foo.val"() : () -> vector<8xf32>
    %v46 = "foo.val"() : () -> vector<4x8xf32>
    %v47 = "vector.insert"(%v45, %v46) <{static_position = array<i64: 2>}> : (vector<8xf32>, vector<4x8xf32>) -> (vector<4x8xf32>)
    %v48 = "foo.val"() : () -> vector<2xf32>
    %v49 = "foo.val"() : () -> vector<4x8xf32>
    %v50 = "vector.insert_strided_slice"(%v48, %v49) <{offsets = [1, 3], strides = [1]}> : (vector<2xf32>, vector<4x8xf32>) -> (vector<4x8xf32>)
    %v51 = "foo.val"() : () -> vector<[4]xf32>
    %v52 = "foo.val"() : () -> vector<[4]xf32>
    %v53 = "vector.interleave"(%v51, %v52) : (vector<[4]xf32>, vector<[4]xf32>) -> (vector<[8]xf32>)
    %v54 = "foo.val"() : () -> memref<?x4xf32>
    %v55 = "foo.val"() : () -> index
    %v56 = "foo.val"() : () -> index
    %v57 = "vector.load"(%v54, %v55, %v56) : (memref<?x4xf32>, index, index) -> (vector<4xf32>)
    %v58 = "foo.val"() : () -> memref<?xvector<4xf32>>
    %v59 = "foo.val"() : () -> index
    %v60 = "vector.load"(%v58, %v59) <{alignment = 16 : i64}> : (memref<?xvector<4xf32>>, index) -> (vector<4xf32>)
    %v61 = "foo.val"() : () -> memref<?xf32>
    %v62 = "foo.val"() : () -> index
    %v63 = "foo.val"() : () -> vector<4xi1>
    %v64 = "foo.val"() : () -> vector<4xf32>
    %v65 = "vector.maskedload"(%v61, %v62, %v63, %v64) : (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> (vector<4xf32>)
    %v66 = "foo.val"() : () -> memref<?xf32>
    %v67 = "foo.val"() : () -> index
    %v68 = "foo.val"() : () -> vector<4xi1>
    %v69 = "foo.val"() : () -> vector<4xf32>
    "vector.maskedstore"(%v66, %v67, %v68, %v69) : (memref<?xf32>, index, vector<4xi1>, vector<4xf32>) -> ()
    %v70 = "foo.val"() : () -> vector<4x8xf32>
    %v71 = "foo.val"() : () -> vector<4xf32>
    %v72 = "vector.multi_reduction"(%v70, %v71) <{kind = #vector.kind<mul>, reduction_dims = array<i64: 1>}> : (vector<4x8xf32>, vector<4xf32>) -> (vector<4xf32>)
    %v73 = "foo.val"() : () -> vector<4xf32>
    %v74 = "foo.val"() : () -> vector<2xf32>
    %v75 = "foo.val"() : () -> vector<4x2xf32>
    %v76 = "vector.outerproduct"(%v73, %v74, %v75) <{kind = #vector.kind<maximumf>}> : (vector<4xf32>, vector<2xf32>, vector<4x2xf32>) -> (vector<4x2xf32>)
    %v77 = "foo.val"() : () -> vector<4xi32>
    %v78 = "foo.val"() : () -> i32
    %v79 = "vector.outerproduct"(%v77, %v78) : (vector<4xi32>, i32) -> (vector<4xi32>)
    "vector.print"() <{punctuation = #vector.punctuation<comma>}> : () -> ()
    "vector.print"() <{stringLiteral = "text"}> : () -> ()
    %v80 = "foo.val"() : () -> vector<4xf32>
    "vector.print"(%v80) : (vector<4xf32>) -> ()
    %v81 = "foo.val"() : () -> vector<4xf32>
    %v82 = "foo.val"() : () -> f32
    %v83 = "vector.reduction"(%v81, %v82) <{fastmath = #arith.fastmath<reassoc>, kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> (f32)
    %v84 = "foo.val"() : () -> vector<[8]xf32>
    %v85 = "vector.scalable.extract"(%v84) <{pos = 4 : i64}> : (vector<[8]xf32>) -> (vector<4xf32>)
    %v86 = "foo.val"() : () -> vector<4xf32>
    %v87 = "foo.val"() : () -> vector<[8]xf32>
    %v88 = "vector.scalable.insert"(%v86, %v87) <{pos = 0 : i64}> : (vector<4xf32>, vector<[8]xf32>) -> (vector<[8]xf32>)
    %v89 = "foo.val"() : () -> vector<4x8xf32>
    %v90 = "foo.val"() : () -> vector<4xf32>
    %v91:2 = "vector.scan"(%v89, %v90) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 1 : i64}> : (vector<4x8xf32>, vector<4xf32>) -> (vector<4x8xf32>, vector<4xf32>)
    %v92 = "foo.val"() : () -> memref<?xf32>
    %v93 = "foo.val"() : () -> index
    %v94 = "foo.val"() : () -> vector<4xi32>
    %v95 = "foo.val"() : () -> vector<4xi1>
    %v96 = "foo.val"() : () -> vector<4xf32>
    "vector.scatter"(%v92, %v93, %v94, %v95, %v96) : (memref<?xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
    %v97 = "foo.val"() : () -> vector<4x8xf32>
    %v98 = "vector.shape_cast"(%v97) : (vector<4x8xf32>) -> (vector<2x16xf32>)
    %v99 = "foo.val"() : () -> vector<4xf32>
    %v100 = "foo.val"() : () -> vector<2xf32>
    %v101 = "vector.shuffle"(%v99, %v100) <{mask = array<i64: 0, 5, -1>}> : (vector<4xf32>, vector<2xf32>) -> (vector<3xf32>)
    %v102 = "vector.step"() : () -> (vector<4xindex>)
    %v103 = "foo.val"() : () -> vector<4xf32>
    %v104 = "foo.val"() : () -> memref<4xf32>
    %v105 = "foo.val"() : () -> index
    "vector.store"(%v103, %v104, %v105) <{nontemporal = true}> : (vector<4xf32>, memref<4xf32>, index) -> ()
    %v106 = "foo.val"() : () -> vector<2xf32>
    %v107:2 = "vector.to_elements"(%v106) : (vector<2xf32>) -> (f32, f32)
    %v108 = "foo.val"() : () -> memref<?x8xf32>
    %v109 = "foo.val"() : () -> index
    %v110 = "foo.val"() : () -> index
    %v111 = "foo.val"() : () -> f32
    %v112 = "vector.transfer_read"(%v108, %v109, %v110, %v111) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1, 0)>}> : (memref<?x8xf32>, index, index, f32) -> (vector<8x4xf32>)
    %v113 = "foo.val"() : () -> tensor<?xf32>
    %v114 = "foo.val"() : () -> index
    %v115 = "foo.val"() : () -> f32
    %v116 = "foo.val"() : () -> vector<4xi1>
    %v117 = "vector.transfer_read"(%v113, %v114, %v115, %v116) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 1>, permutation_map = affine_map<(d0) -> (d0)>}> : (tensor<?xf32>, index, f32, vector<4xi1>) -> (vector<4xf32>)
    %v118 = "foo.val"() : () -> vector<4xf32>
    %v119 = "foo.val"() : () -> tensor<?xf32>
    %v120 = "foo.val"() : () -> index
    %v121 = "vector.transfer_write"(%v118, %v119, %v120) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<?xf32>, index) -> (tensor<?xf32>)
    %v122 = "foo.val"() : () -> vector<2x3xf32>
    %v123 = "vector.transpose"(%v122) <{permutation = array<i64: 1, 0>}> : (vector<2x3xf32>) -> (vector<3x2xf32>)
    %v124 = "foo.val"() : () -> memref<4x4xf32>
    %v125 = "vector.type_cast"(%v124) : (memref<4x4xf32>) -> (memref<vector<4x4xf32>>)
    %v126 = "vector.vscale"() : () -> (index)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<4xi1>, vector<4xf32>) -> f32, sym_name = "masked"}> ({
  ^bb0(%arg0: vector<4xi1>, %arg1: vector<4xf32>):
    %0 = "vector.mask"(%arg0) ({
      %1 = "vector.reduction"(%arg1) <{kind = #vector.kind<add>}> : (vector<4xf32>) -> f32
      "vector.yield"(%1) : (f32) -> ()
    }) : (vector<4xi1>) -> f32
    "func.return"(%0) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Rows have other widths.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "vector.bitcast"(%v0) : (vector<4xf32>) -> (vector<4xf16>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The source has extents the result lacks.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<2x4xf32>
    %v1 = "vector.broadcast"(%v0) : (vector<2x4xf32>) -> (vector<3x4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The elements differ.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "vector.broadcast"(%v0) : (f32) -> (vector<4xf64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There are more than the dimension has.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 5>}> : () -> (vector<4xi1>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Some but not all are zero.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 0, 2>}> : () -> (vector<4x4xi1>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is one operand per dimension.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> index
    %v1 = "vector.create_mask"(%v0) : (index) -> (vector<4x4xi1>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// An odd row cannot be halved.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<7xf32>
    %v1:2 = "vector.deinterleave"(%v0) : (vector<7xf32>) -> (vector<3xf32>, vector<3xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The index is outside.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "vector.extract"(%v0) <{static_position = array<i64: 4>}> : (vector<4xf32>) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The rest has another shape.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4x8xf32>
    %v1 = "vector.extract"(%v0) <{static_position = array<i64: 1>}> : (vector<4x8xf32>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A dynamic index is missing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "vector.extract"(%v0) <{static_position = array<i64: -9223372036854775808>}> : (vector<4xf32>) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The slice leaves the vector.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "vector.extract_strided_slice"(%v0) <{offsets = [3], sizes = [2], strides = [1]}> : (vector<4xf32>) -> (vector<2xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Strides are 1.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "vector.extract_strided_slice"(%v0) <{offsets = [0], sizes = [2], strides = [2]}> : (vector<4xf32>) -> (vector<2xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Integers are not multiplied like this.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xi32>
    %v1 = "foo.val"() : () -> vector<4xi32>
    %v2 = "foo.val"() : () -> vector<4xi32>
    %v3 = "vector.fma"(%v0, %v1, %v2) : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> (vector<4xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There are too few elements.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "foo.val"() : () -> f32
    %v2 = "vector.from_elements"(%v0, %v1) : (f32, f32) -> (vector<3xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The mask has another shape.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32>
    %v1 = "foo.val"() : () -> index
    %v2 = "foo.val"() : () -> vector<4xi32>
    %v3 = "foo.val"() : () -> vector<3xi1>
    %v4 = "foo.val"() : () -> vector<4xf32>
    %v5 = "vector.gather"(%v0, %v1, %v2, %v3, %v4) : (memref<?xf32>, index, vector<4xi32>, vector<3xi1>, vector<4xf32>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The rank of what is stored does not fit.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "foo.val"() : () -> vector<4x8xf32>
    %v2 = "vector.insert"(%v0, %v1) <{static_position = array<i64: 2>}> : (f32, vector<4x8xf32>) -> (vector<4x8xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The result is twice as long.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> vector<4xf32>
    %v2 = "vector.interleave"(%v0, %v1) : (vector<4xf32>, vector<4xf32>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Rows have gaps.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4x4xf32, strided<[8, 2]>>
    %v1 = "foo.val"() : () -> index
    %v2 = "foo.val"() : () -> index
    %v3 = "vector.load"(%v0, %v1, %v2) : (memref<4x4xf32, strided<[8, 2]>>, index, index) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// An alignment is a power of two.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32>
    %v1 = "foo.val"() : () -> index
    %v2 = "vector.load"(%v0, %v1) <{alignment = 3 : i64}> : (memref<?xf32>, index) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is one index per dimension.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> memref<4x4xf32>
    %v2 = "foo.val"() : () -> index
    "vector.store"(%v0, %v1, %v2) : (vector<4xf32>, memref<4x4xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The fallback has another type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32>
    %v1 = "foo.val"() : () -> index
    %v2 = "foo.val"() : () -> vector<4xi1>
    %v3 = "foo.val"() : () -> vector<4xf64>
    %v4 = "vector.maskedload"(%v0, %v1, %v2, %v3) : (memref<?xf32>, index, vector<4xi1>, vector<4xf64>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The result keeps the other dimensions.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4x8xf32>
    %v1 = "foo.val"() : () -> vector<4xf32>
    %v2 = "vector.multi_reduction"(%v0, %v1) <{kind = #vector.kind<add>, reduction_dims = array<i64: 0>}> : (vector<4x8xf32>, vector<4xf32>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The result has both extents.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> vector<2xf32>
    %v2 = "vector.outerproduct"(%v0, %v1) : (vector<4xf32>, vector<2xf32>) -> (vector<2x4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Floats have no bits to combine.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "vector.reduction"(%v0) <{kind = #vector.kind<and>}> : (vector<4xf32>) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Only one dimension is reduced.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<2x4xf32>
    %v1 = "vector.reduction"(%v0) <{kind = #vector.kind<add>}> : (vector<2x4xf32>) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A text stands alone.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    "vector.print"(%v0) <{stringLiteral = "text"}> : (f32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The position is no multiple.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<[8]xf32>
    %v1 = "vector.scalable.extract"(%v0) <{pos = 3 : i64}> : (vector<[8]xf32>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The start lacks a dimension.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4x8xf32>
    %v1 = "foo.val"() : () -> vector<8xf32>
    %v2:2 = "vector.scan"(%v0, %v1) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 1 : i64}> : (vector<4x8xf32>, vector<8xf32>) -> (vector<4x8xf32>, vector<8xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The number of elements changes.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4x8xf32>
    %v1 = "vector.shape_cast"(%v0) : (vector<4x8xf32>) -> (vector<4x4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is no such row.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> vector<2xf32>
    %v2 = "vector.shuffle"(%v0, %v1) <{mask = array<i64: 6>}> : (vector<4xf32>, vector<2xf32>) -> (vector<1xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Steps are of type index.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "vector.step"() : () -> (vector<4xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The map has another rank.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?x8xf32>
    %v1 = "foo.val"() : () -> index
    %v2 = "foo.val"() : () -> index
    %v3 = "foo.val"() : () -> f32
    %v4 = "vector.transfer_read"(%v0, %v1, %v2, %v3) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?x8xf32>, index, index, f32) -> (vector<8xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The padding has another type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32>
    %v1 = "foo.val"() : () -> index
    %v2 = "foo.val"() : () -> f64
    %v3 = "vector.transfer_read"(%v0, %v1, %v2) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xf32>, index, f64) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Writes repeat nothing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> memref<?xf32>
    %v2 = "foo.val"() : () -> index
    "vector.transfer_write"(%v0, %v1, %v2) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (0)>}> : (vector<4xf32>, memref<?xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Each dimension once.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<2x2xf32>
    %v1 = "vector.transpose"(%v0) <{permutation = array<i64: 0, 0>}> : (vector<2x2xf32>) -> (vector<2x2xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The numbers change.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4x4xf32>
    %v1 = "vector.type_cast"(%v0) : (memref<4x4xf32>) -> (memref<vector<4x8xf32>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// One iterator is reduced over.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> vector<4xf32>
    %v2 = "foo.val"() : () -> vector<4xf32>
    %v3 = "vector.contract"(%v0, %v1, %v2) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#vector.iterator_type<parallel>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A vector without dimensions is not extracted: its element is.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<f32>
    %v1 = "vector.extract"(%v0) <{static_position = array<i64>}> : (vector<f32>) -> (vector<f32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Nor from a vector with dimensions.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "vector.extract"(%v0) <{static_position = array<i64: 0>}> : (vector<4xf32>) -> (vector<f32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// One element may be a vector of one.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<f32>
    %v1 = "vector.extract"(%v0) <{static_position = array<i64>}> : (vector<f32>) -> (vector<1xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The element of a vector without dimensions.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<f32>
    %v1 = "vector.extract"(%v0) <{static_position = array<i64>}> : (vector<f32>) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
