// parity
// Ops of `math`; what follows breaks one rule each.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "math.acos"(%v0) : (f32) -> (f32)
    %v2 = "foo.val"() : () -> f32
    %v3 = "math.acosh"(%v2) : (f32) -> (f32)
    %v4 = "foo.val"() : () -> f32
    %v5 = "math.asin"(%v4) : (f32) -> (f32)
    %v6 = "foo.val"() : () -> f32
    %v7 = "math.asinh"(%v6) : (f32) -> (f32)
    %v8 = "foo.val"() : () -> f32
    %v9 = "math.atanh"(%v8) : (f32) -> (f32)
    %v10 = "foo.val"() : () -> f32
    %v11 = "math.cbrt"(%v10) : (f32) -> (f32)
    %v12 = "foo.val"() : () -> f32
    %v13 = "math.cosh"(%v12) : (f32) -> (f32)
    %v14 = "foo.val"() : () -> f32
    %v15 = "math.erfc"(%v14) : (f32) -> (f32)
    %v16 = "foo.val"() : () -> f32
    %v17 = "math.sinh"(%v16) : (f32) -> (f32)
    %v18 = "foo.val"() : () -> vector<4xf16>
    %v19 = "foo.val"() : () -> vector<4xf16>
    %v20 = "foo.val"() : () -> vector<4xf16>
    %v21 = "math.clampf"(%v18, %v19, %v20) <{fastmath = #arith.fastmath<fast>}> : (vector<4xf16>, vector<4xf16>, vector<4xf16>) -> (vector<4xf16>)
    %v22 = "foo.val"() : () -> f32
    %v23 = "foo.val"() : () -> i32
    %v24 = "math.fpowi"(%v22, %v23) : (f32, i32) -> (f32)
    %v25 = "foo.val"() : () -> vector<4xf32>
    %v26 = "foo.val"() : () -> vector<4xi8>
    %v27 = "math.fpowi"(%v25, %v26) : (vector<4xf32>, vector<4xi8>) -> (vector<4xf32>)
    %v28 = "foo.val"() : () -> i32
    %v29 = "foo.val"() : () -> i32
    %v30 = "math.ipowi"(%v28, %v29) : (i32, i32) -> (i32)
    %v31 = "foo.val"() : () -> f32
    %v32 = "math.isfinite"(%v31) : (f32) -> (i1)
    %v33 = "foo.val"() : () -> vector<4xf64>
    %v34 = "math.isinf"(%v33) : (vector<4xf64>) -> (vector<4xi1>)
    %v35 = "foo.val"() : () -> tensor<?xbf16>
    %v36 = "math.isnan"(%v35) : (tensor<?xbf16>) -> (tensor<?xi1>)
    %v37 = "foo.val"() : () -> f16
    %v38 = "math.isnormal"(%v37) : (f16) -> (i1)
    %v39 = "foo.val"() : () -> f32
    %v40:2 = "math.sincos"(%v39) : (f32) -> (f32, f32)
    %v41 = "foo.val"() : () -> index
    %v42 = "math.absi"(%v41) : (index) -> (index)
    %v43 = "foo.val"() : () -> vector<[2]xi64>
    %v44 = "math.ctpop"(%v43) : (vector<[2]xi64>) -> (vector<[2]xi64>)
    %v45 = "foo.val"() : () -> f32
    %v46 = "foo.val"() : () -> f32
    %v47 = "foo.val"() : () -> f32
    %v48 = "math.fma"(%v45, %v46, %v47) : (f32, f32, f32) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Integers have no sine.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> i32
    %v1 = "math.sin"(%v0) : (i32) -> (i32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// Both have one type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "math.sqrt"(%v0) : (f32) -> (f64)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The power has another shape.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "foo.val"() : () -> i32
    %v2 = "math.fpowi"(%v0, %v1) : (vector<4xf32>, i32) -> (vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The base has another type.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "foo.val"() : () -> i32
    %v2 = "math.fpowi"(%v0, %v1) : (f32, i32) -> (f64)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The answer has the operand's shape.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> vector<4xf32>
    %v1 = "math.isnan"(%v0) : (vector<4xf32>) -> (i1)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// The results differ.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1:2 = "math.sincos"(%v0) : (f32) -> (f32, f64)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// One operand is missing.
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %v0 = "foo.val"() : () -> f32
    %v1 = "math.atan2"(%v0) : (f32) -> (f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
