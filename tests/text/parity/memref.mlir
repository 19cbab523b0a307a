// parity
// Ops of `memref`; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> index
    %v1 = "foo.val"() : () -> index
    %v2 = "memref.alloc"(%v0, %v1) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 1>}> : (index, index) -> (memref<?x4xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>>)
    %v3 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> (memref<4xvector<4xf32>>)
    %v4 = "foo.val"() : () -> memref<?xf32>
    %v5 = "memref.assume_alignment"(%v4) <{alignment = 16 : i32}> : (memref<?xf32>) -> (memref<?xf32>)
    %v6 = "foo.val"() : () -> f32
    %v7 = "foo.val"() : () -> memref<?xf32>
    %v8 = "foo.val"() : () -> index
    %v9 = "memref.atomic_rmw"(%v6, %v7, %v8) <{kind = 0 : i64}> : (f32, memref<?xf32>, index) -> (f32)
    %v10 = "foo.val"() : () -> memref<4x?xf32, strided<[?, 1], offset: ?>>
    %v11 = "memref.cast"(%v10) : (memref<4x?xf32, strided<[?, 1], offset: ?>>) -> (memref<?x4xf32, strided<[4, 1]>>)
    %v12 = "foo.val"() : () -> memref<4xf32, 3>
    %v13 = "memref.cast"(%v12) : (memref<4xf32, 3>) -> (memref<*xf32, 3>)
    %v14 = "foo.val"() : () -> memref<2x3x4xf32>
    %v15 = "memref.collapse_shape"(%v14) <{reassociation = [[0, 1], [2]]}> : (memref<2x3x4xf32>) -> (memref<6x4xf32>)
    %v16 = "foo.val"() : () -> memref<2x4x?xf32, strided<[?, ?, 1]>>
    %v17 = "memref.collapse_shape"(%v16) <{reassociation = [[0], [1, 2]]}> : (memref<2x4x?xf32, strided<[?, ?, 1]>>) -> (memref<2x?xf32, strided<[?, ?]>>)
    %v18 = "foo.val"() : () -> memref<?x4xf32>
    %v19 = "foo.val"() : () -> memref<4x?xf32>
    "memref.copy"(%v18, %v19) : (memref<?x4xf32>, memref<4x?xf32>) -> ()
    %v20 = "foo.val"() : () -> memref<*xf32>
    "memref.dealloc"(%v20) : (memref<*xf32>) -> ()
    %v21 = "foo.val"() : () -> memref<?x4xf32>
    %v22 = "foo.val"() : () -> index
    %v23 = "memref.dim"(%v21, %v22) : (memref<?x4xf32>, index) -> (index)
    %v24 = "foo.val"() : () -> memref<4xf32>
    %v25 = "foo.val"() : () -> memref<?xi8>
    %v26:2 = "memref.distinct_objects"(%v24, %v25) : (memref<4xf32>, memref<?xi8>) -> (memref<4xf32>, memref<?xi8>)
    %v27 = "foo.val"() : () -> memref<4xf32>
    %v28 = "foo.val"() : () -> index
    %v29 = "foo.val"() : () -> memref<8xf32, 1>
    %v30 = "foo.val"() : () -> index
    %v31 = "foo.val"() : () -> index
    %v32 = "foo.val"() : () -> memref<1xi32>
    %v33 = "foo.val"() : () -> index
    %v34 = "foo.val"() : () -> index
    %v35 = "foo.val"() : () -> index
    "memref.dma_start"(%v27, %v28, %v29, %v30, %v31, %v32, %v33, %v34, %v35) : (memref<4xf32>, index, memref<8xf32, 1>, index, index, memref<1xi32>, index, index, index) -> ()
    %v36 = "foo.val"() : () -> memref<1xi32>
    %v37 = "foo.val"() : () -> index
    %v38 = "foo.val"() : () -> index
    "memref.dma_wait"(%v36, %v37, %v38) : (memref<1xi32>, index, index) -> ()
    %v39 = "foo.val"() : () -> memref<6x4xf32>
    %v40 = "memref.expand_shape"(%v39) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 3, 4>}> : (memref<6x4xf32>) -> (memref<2x3x4xf32>)
    %v41 = "foo.val"() : () -> memref<?xf32>
    %v42 = "memref.extract_aligned_pointer_as_index"(%v41) : (memref<?xf32>) -> (index)
    %v43 = "foo.val"() : () -> memref<4x?xf32, strided<[?, 1], offset: ?>, 1>
    %v44:6 = "memref.extract_strided_metadata"(%v43) : (memref<4x?xf32, strided<[?, 1], offset: ?>, 1>) -> (memref<f32, 1>, index, index, index, index, index)
    %v45 = "foo.val"() : () -> memref<?x4xf32>
    %v46 = "foo.val"() : () -> index
    %v47 = "foo.val"() : () -> index
    %v48 = "memref.load"(%v45, %v46, %v47) <{nontemporal = true}> : (memref<?x4xf32>, index, index) -> (f32)
    %v49 = "foo.val"() : () -> memref<4xf32, 1>
    %v50 = "memref.memory_space_cast"(%v49) : (memref<4xf32, 1>) -> (memref<4xf32>)
    %v51 = "foo.val"() : () -> memref<4xf32>
    %v52 = "foo.val"() : () -> index
    "memref.prefetch"(%v51, %v52) <{isDataCache = true, isWrite = false, localityHint = 3 : i32}> : (memref<4xf32>, index) -> ()
    %v53 = "foo.val"() : () -> memref<*xf32>
    %v54 = "memref.rank"(%v53) : (memref<*xf32>) -> (index)
    %v55 = "foo.val"() : () -> memref<4xf32>
    %v56 = "foo.val"() : () -> index
    %v57 = "memref.realloc"(%v55, %v56) : (memref<4xf32>, index) -> (memref<?xf32>)
    %v58 = "foo.val"() : () -> memref<*xf32>
    %v59 = "foo.val"() : () -> index
    %v60 = "memref.reinterpret_cast"(%v58, %v59) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4, 4>, static_strides = array<i64: 4, 1>}> : (memref<*xf32>, index) -> (memref<4x4xf32, strided<[4, 1], offset: ?>>)
    %v61 = "foo.val"() : () -> memref<?xf32>
    %v62 = "foo.val"() : () -> memref<2xi32>
    %v63 = "memref.reshape"(%v61, %v62) : (memref<?xf32>, memref<2xi32>) -> (memref<?x?xf32>)
    %v64 = "foo.val"() : () -> f32
    %v65 = "foo.val"() : () -> memref<f32>
    "memref.store"(%v64, %v65) : (f32, memref<f32>) -> ()
    %v66 = "foo.val"() : () -> memref<8x16x4xf32>
    %v67 = "memref.subview"(%v66) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 2, 0>, static_sizes = array<i64: 1, 4, 4>, static_strides = array<i64: 1, 2, 1>}> : (memref<8x16x4xf32>) -> (memref<4x4xf32, strided<[8, 1], offset: 72>>)
    %v68 = "foo.val"() : () -> memref<2x3xf32>
    %v69 = "memref.transpose"(%v68) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<2x3xf32>) -> (memref<3x2xf32, strided<[1, 3]>>)
    %v70 = "foo.val"() : () -> memref<64xi8>
    %v71 = "foo.val"() : () -> index
    %v72 = "foo.val"() : () -> index
    %v73 = "memref.view"(%v70, %v71, %v72) : (memref<64xi8>, index, index) -> (memref<?x4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "memref.global"() <{initial_value = dense<1.0> : tensor<4xf32>, sym_name = "table", sym_visibility = "private", type = memref<4xf32>}> : () -> ()
  "func.func"() <{function_type = (memref<4xf32>, index) -> f32, sym_name = "regions"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: index):
    %0 = "memref.get_global"() <{name = @table}> : () -> memref<4xf32>
    %1 = "memref.generic_atomic_rmw"(%arg0, %arg1) ({
    ^bb0(%arg2: f32):
      %2 = "arith.addf"(%arg2, %arg2) : (f32, f32) -> f32
      "memref.atomic_yield"(%2) : (f32) -> ()
    }) : (memref<4xf32>, index) -> f32
    %3 = "memref.alloca_scope"() ({
      "memref.alloca_scope.return"(%1) : (f32) -> ()
    }) : () -> f32
    "func.return"(%3) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// An extent is missing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> (memref<?xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A symbol is missing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> (memref<4xf32, strided<[1], offset: ?>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// An alignment is a power of two.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "memref.alloc"() <{alignment = 3 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> (memref<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The kind is for floats.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i32
    %v1 = "foo.val"() : () -> memref<?xi32>
    %v2 = "foo.val"() : () -> index
    %v3 = "memref.atomic_rmw"(%v0, %v1, %v2) <{kind = 0 : i64}> : (i32, memref<?xi32>, index) -> (i32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The offsets differ.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32, strided<[1], offset: 1>>
    %v1 = "memref.cast"(%v0) : (memref<4xf32, strided<[1], offset: 1>>) -> (memref<4xf32, strided<[1], offset: 2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The spaces differ.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32, 1>
    %v1 = "memref.cast"(%v0) : (memref<4xf32, 1>) -> (memref<?xf32, 2>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// One of both is ranked.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<*xf32>
    %v1 = "memref.cast"(%v0) : (memref<*xf32>) -> (memref<*xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The product is another.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<2x3xf32>
    %v1 = "memref.collapse_shape"(%v0) <{reassociation = [[0, 1]]}> : (memref<2x3xf32>) -> (memref<5xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There are gaps.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<2x3xf32, strided<[4, 1]>>
    %v1 = "memref.collapse_shape"(%v0) <{reassociation = [[0, 1]]}> : (memref<2x3xf32, strided<[4, 1]>>) -> (memref<6xf32, strided<[1]>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A dimension is left out.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<2x3xf32>
    %v1 = "memref.collapse_shape"(%v0) <{reassociation = [[1]]}> : (memref<2x3xf32>) -> (memref<3xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The extents differ.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32>
    %v1 = "foo.val"() : () -> memref<5xf32>
    "memref.copy"(%v0, %v1) : (memref<4xf32>, memref<5xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is no dimension to ask for.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<f32>
    %v1 = "foo.val"() : () -> index
    %v2 = "memref.dim"(%v0, %v1) : (memref<f32>, index) -> (index)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The listed extents are others.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<6xf32>
    %v1 = "memref.expand_shape"(%v0) <{reassociation = [[0, 1]], static_output_shape = array<i64: 3, 2>}> : (memref<6xf32>) -> (memref<2x3xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is one index per dimension.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4x4xf32>
    %v1 = "foo.val"() : () -> index
    %v2 = "memref.load"(%v0, %v1) : (memref<4x4xf32>, index) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The element has another type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32>
    %v1 = "foo.val"() : () -> index
    %v2 = "memref.load"(%v0, %v1) : (memref<4xf32>, index) -> (f64)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Only the space changes.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32, 1>
    %v1 = "memref.memory_space_cast"(%v0) : (memref<4xf32, 1>) -> (memref<?xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There are four levels.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32>
    %v1 = "foo.val"() : () -> index
    "memref.prefetch"(%v0, %v1) <{isDataCache = true, isWrite = false, localityHint = 4 : i32}> : (memref<4xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The new size is missing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32>
    %v1 = "memref.realloc"(%v0) : (memref<4xf32>) -> (memref<?xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The size is another.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32>
    %v1 = "memref.reinterpret_cast"(%v0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 5>, static_strides = array<i64: 1>}> : (memref<?xf32>) -> (memref<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The rank is another.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<?xf32>
    %v1 = "foo.val"() : () -> memref<2xi32>
    %v2 = "memref.reshape"(%v0, %v1) : (memref<?xf32>, memref<2xi32>) -> (memref<?xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The value has another type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f64
    %v1 = "foo.val"() : () -> memref<f32>
    "memref.store"(%v0, %v1) : (f64, memref<f32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The offset is another.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<8xf32>
    %v1 = "memref.subview"(%v0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<8xf32>) -> (memref<4xf32, strided<[1], offset: 1>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The window leaves the source.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<8xf32>
    %v1 = "memref.subview"(%v0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 6>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<8xf32>) -> (memref<4xf32, strided<[1], offset: 6>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The segments add up to more.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<8xf32>
    %v1 = "memref.subview"(%v0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 2>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<8xf32>) -> (memref<4xf32, strided<[1], offset: 2>>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The strides are not swapped.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<2x3xf32>
    %v1 = "memref.transpose"(%v0) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<2x3xf32>) -> (memref<3x2xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A view is of bytes.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<64xi32>
    %v1 = "foo.val"() : () -> index
    %v2 = "memref.view"(%v0, %v1) : (memref<64xi32>, index) -> (memref<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is no such global.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "memref.get_global"() <{name = @nowhere}> : () -> (memref<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
