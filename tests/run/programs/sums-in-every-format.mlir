// run
// Sums, products and extremes of the same numbers as i8, i16, f16, bf16 and f64, wrapped or rounded by each.
// inputs: [1, -3, 100, 100]
// inputs: []
// inputs: random:N where N = 1 33 1025
// numpy: xs.sum(dtype=np.int8), xs.sum(dtype=np.int16), np.float16(xs.max(initial=-128)) if len(xs) else np.float16(-60000.0), xs.astype(np.float64).sum(), np.multiply.reduce(xs, dtype=np.int8)
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i8>) -> (i8, i16, f16, f64, i8) {
  %v3 = array.map (%v1 in %xs : [n]i8) {
    %v2 = arith.sitofp %v1 : i8 to f16
    array.yield %v2 : f16
  }
  %v6 = array.map (%v4 in %xs : [n]i8) {
    %v5 = arith.sitofp %v4 : i8 to f64
    array.yield %v5 : f64
  }
  %v9 = array.map (%v7 in %xs : [n]i8) {
    %v8 = arith.extsi %v7 : i8 to i16
    array.yield %v8 : i16
  }
  %v10 = arith.constant -60000.0 : f16
  %v14 = array.reduce (%v3 : [n]f16) init (%v10 : f16) combine (%v11, %v12) {
    %v13 = arith.maximumf %v11, %v12 : f16
    array.yield %v13 : f16
  }
  %v15 = arith.constant 1 : i8
  %v19 = array.reduce (%xs : [n]i8) init (%v15 : i8) combine (%v16, %v17) {
    %v18 = arith.muli %v16, %v17 : i8
    array.yield %v18 : i8
  }
  %v20 = arith.constant 0 : i8
  %v24 = array.reduce (%xs : [n]i8) init (%v20 : i8) combine (%v21, %v22) {
    %v23 = arith.addi %v21, %v22 : i8
    array.yield %v23 : i8
  }
  %v25 = arith.constant 0 : i16
  %v29 = array.reduce (%v9 : [n]i16) init (%v25 : i16) combine (%v26, %v27) {
    %v28 = arith.addi %v26, %v27 : i16
    array.yield %v28 : i16
  }
  %v30 = arith.constant 0.0 : f64
  %v34 = array.reduce (%v6 : [n]f64) init (%v30 : f64) combine (%v31, %v32) {
    %v33 = arith.addf %v31, %v32 : f64
    array.yield %v33 : f64
  }
  func.return %v24, %v29, %v14, %v34, %v19 : i8, i16, f16, f64, i8
}
