// parity
// Ops of `arith` on scalars, vectors and tensors; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "arith.constant"() <{value = 7 : i32}> : () -> (i32)
    %v1 = "arith.constant"() <{value = dense<1.5> : vector<[4]xf32>}> : () -> (vector<[4]xf32>)
    %v2 = "foo.val"() : () -> i32
    %v3 = "foo.val"() : () -> i32
    %v4:2 = "arith.addui_extended"(%v2, %v3) : (i32, i32) -> (i32, i1)
    %v5 = "foo.val"() : () -> vector<4xi8>
    %v6 = "foo.val"() : () -> vector<4xi8>
    %v7:2 = "arith.addui_extended"(%v5, %v6) : (vector<4xi8>, vector<4xi8>) -> (vector<4xi8>, vector<4xi1>)
    %v8 = "foo.val"() : () -> i64
    %v9 = "foo.val"() : () -> i64
    %v10:2 = "arith.mulsi_extended"(%v8, %v9) : (i64, i64) -> (i64, i64)
    %v11 = "foo.val"() : () -> index
    %v12 = "foo.val"() : () -> index
    %v13:2 = "arith.mului_extended"(%v11, %v12) : (index, index) -> (index, index)
    %v14 = "foo.val"() : () -> f4E2M1FN
    %v15 = "foo.val"() : () -> f8E8M0FNU
    %v16 = "arith.scaling_extf"(%v14, %v15) : (f4E2M1FN, f8E8M0FNU) -> (f32)
    %v17 = "foo.val"() : () -> vector<4xf32>
    %v18 = "foo.val"() : () -> vector<4xf8E8M0FNU>
    %v19 = "arith.scaling_truncf"(%v17, %v18) <{roundingmode = 0 : i32}> : (vector<4xf32>, vector<4xf8E8M0FNU>) -> (vector<4xf4E2M1FN>)
    %v20 = "foo.val"() : () -> tensor<4xi32>
    %v21 = "foo.val"() : () -> tensor<?xi32>
    %v22 = "arith.addi"(%v20, %v21) <{overflowFlags = #arith.overflow<nsw>}> : (tensor<4xi32>, tensor<?xi32>) -> (tensor<4xi32>)
    %v23 = "foo.val"() : () -> tensor<?xi8>
    %v24 = "arith.extsi"(%v23) : (tensor<?xi8>) -> (tensor<?xi32>)
    %v25 = "foo.val"() : () -> i64
    %v26 = "arith.trunci"(%v25) <{overflowFlags = #arith.overflow<nuw>}> : (i64) -> (i8)
    %v27 = "foo.val"() : () -> memref<4xindex>
    %v28 = "arith.index_cast"(%v27) : (memref<4xindex>) -> (memref<4xi32>)
    %v29 = "foo.val"() : () -> memref<4xf32>
    %v30 = "arith.bitcast"(%v29) : (memref<4xf32>) -> (memref<4xi32>)
    %v31 = "foo.val"() : () -> vector<4xi32>
    %v32 = "foo.val"() : () -> vector<4xi32>
    %v33 = "arith.cmpi"(%v31, %v32) <{predicate = 3 : i64}> : (vector<4xi32>, vector<4xi32>) -> (vector<4xi1>)
    %v34 = "foo.val"() : () -> f16
    %v35 = "foo.val"() : () -> f16
    %v36 = "arith.cmpf"(%v34, %v35) <{predicate = 7 : i64}> : (f16, f16) -> (i1)
    %v37 = "foo.val"() : () -> vector<4xi1>
    %v38 = "foo.val"() : () -> vector<4xf32>
    %v39 = "foo.val"() : () -> vector<4xf32>
    %v40 = "arith.select"(%v37, %v38, %v39) : (vector<4xi1>, vector<4xf32>, vector<4xf32>) -> (vector<4xf32>)
    %v41 = "foo.val"() : () -> i1
    %v42 = "foo.val"() : () -> tuple<i32>
    %v43 = "foo.val"() : () -> tuple<i32>
    %v44 = "arith.select"(%v41, %v42, %v43) : (i1, tuple<i32>, tuple<i32>) -> (tuple<i32>)
    %v45 = "foo.val"() : () -> i32
    %v46 = "foo.val"() : () -> i32
    %v47 = "arith.divsi"(%v45, %v46) <{isExact}> : (i32, i32) -> (i32)
    %v48 = "foo.val"() : () -> f8E4M3FN
    %v49 = "foo.val"() : () -> f8E4M3FN
    %v50 = "arith.maxnumf"(%v48, %v49) : (f8E4M3FN, f8E4M3FN) -> (f8E4M3FN)
    %v51 = "foo.val"() : () -> f64
    %v52 = "arith.fptosi"(%v51) : (f64) -> (i1)
    %v53 = "foo.val"() : () -> i1
    %v54 = "arith.uitofp"(%v53) : (i1) -> (bf16)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The sum has another type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i32
    %v1 = "foo.val"() : () -> i32
    %v2:2 = "arith.addui_extended"(%v0, %v1) : (i32, i32) -> (i64, i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The flag has another shape.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xi8>
    %v1 = "foo.val"() : () -> vector<4xi8>
    %v2:2 = "arith.addui_extended"(%v0, %v1) : (vector<4xi8>, vector<4xi8>) -> (vector<4xi8>, i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The halves differ.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i64
    %v1 = "foo.val"() : () -> i64
    %v2:2 = "arith.mulsi_extended"(%v0, %v1) : (i64, i64) -> (i64, i32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Nothing is widened.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i32
    %v1 = "arith.extsi"(%v0) : (i32) -> (i32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Index has no width to extend from.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> index
    %v1 = "arith.extui"(%v0) : (index) -> (i64)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Nothing is narrowed.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f16
    %v1 = "arith.truncf"(%v0) : (f16) -> (bf16)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The extents of tensors are the same, not only compatible.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> tensor<?xi8>
    %v1 = "arith.extsi"(%v0) : (tensor<?xi8>) -> (tensor<4xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A predicate is an i64.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i32
    %v1 = "foo.val"() : () -> i32
    %v2 = "arith.cmpi"(%v0, %v1) <{predicate = 3 : i32}> : (i32, i32) -> (i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is no such predicate.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i32
    %v1 = "foo.val"() : () -> i32
    %v2 = "arith.cmpi"(%v0, %v1) <{predicate = 10 : i64}> : (i32, i32) -> (i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// One of both is index.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i32
    %v1 = "arith.index_cast"(%v0) : (i32) -> (i64)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Widths agree.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "arith.bitcast"(%v0) : (f32) -> (i64)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Vectors and tensors do not mix.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> tensor<4xf32>
    %v2 = "arith.addf"(%v0, %v1) : (vector<4xf32>, tensor<4xf32>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Scalable and fixed vectors do not mix.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> vector<[4]xf32>
    %v2 = "arith.addf"(%v0, %v1) : (vector<4xf32>, vector<[4]xf32>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A constant integer is signless.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "arith.constant"() <{value = 7 : si32}> : () -> (si32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The value has the type of the result.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "arith.constant"() <{value = 7 : i32}> : () -> (i64)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A scalable vector has one value.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "arith.constant"() <{value = dense<[1, 2]> : vector<[2]xi32>}> : () -> (vector<[2]xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Signed integers are not signless.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> si32
    %v1 = "foo.val"() : () -> si32
    %v2 = "arith.addi"(%v0, %v1) : (si32, si32) -> (si32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is an operand too many.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "foo.val"() : () -> f32
    %v2 = "arith.negf"(%v0, %v1) : (f32, f32) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// There is a result too many.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1:2 = "arith.negf"(%v0) : (f32) -> (f32, f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// A memref must have a rank.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<4xf32>
    %r = "arith.bitcast"(%v0) : (memref<4xf32>) -> (memref<*xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The same where both have none.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<*xf32>
    %r = "arith.bitcast"(%v0) : (memref<*xf32>) -> (memref<*xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The same of indices.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> memref<*xindex>
    %r = "arith.index_cast"(%v0) : (memref<*xindex>) -> (memref<*xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Tensors, too.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> tensor<*xf32>
    %r = "arith.bitcast"(%v0) : (tensor<*xf32>) -> (tensor<*xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The scaled operand has the shape of the result.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f16
    %v1 = "foo.val"() : () -> vector<4xf8E8M0FNU>
    %r = "arith.scaling_truncf"(%v0, %v1) : (f16, vector<4xf8E8M0FNU>) -> (vector<4xf4E2M1FN>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The same when it widens.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f8E4M3FN
    %v1 = "foo.val"() : () -> vector<4xf8E8M0FNU>
    %r = "arith.scaling_extf"(%v0, %v1) : (f8E4M3FN, vector<4xf8E8M0FNU>) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The scale may be a scalar.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> f8E8M0FNU
    %r = "arith.scaling_truncf"(%v0, %v1) : (vector<4xf32>, f8E8M0FNU) -> (vector<4xf4E2M1FN>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The extent of a scale may be open.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> tensor<4xf32>
    %v1 = "foo.val"() : () -> tensor<?xf8E8M0FNU>
    %r = "arith.scaling_truncf"(%v0, %v1) : (tensor<4xf32>, tensor<?xf8E8M0FNU>) -> (tensor<4xf4E2M1FN>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
