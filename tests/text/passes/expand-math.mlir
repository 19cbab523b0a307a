// pass: builtin.module(func.func(expand-math))
// Functions without an exact instruction become arithmetic.
module {
  func.func @f(%x: f32) -> (f32, f32) {
    %0 = math.exp %x : f32
    %1 = math.absf %x : f32
    return %0, %1 : f32, f32
  }
}
// ===== expected
builtin.module {
  func.func @f(%x: f32) -> (f32, f32) {
    %cst = arith.constant -1.040000e+02 : f32
    %cst_0 = arith.constant 8.900000e+01 : f32
    %0 = arith.cmpf ogt, %x, %cst_0 : f32
    %1 = arith.select %0, %cst_0, %x : f32
    %2 = arith.cmpf olt, %1, %cst : f32
    %3 = arith.select %2, %cst, %1 : f32
    %cst_1 = arith.constant 1.44269502 : f32
    %cst_2 = arith.constant 0x4B400000 : f32
    %4 = math.fma %3, %cst_1, %cst_2 : f32
    %cst_3 = arith.constant 0x4B400000 : f32
    %5 = arith.subf %4, %cst_3 : f32
    %6 = arith.bitcast %4 : f32 to i32
    %c1262485504_i32 = arith.constant 1262485504 : i32
    %7 = arith.subi %6, %c1262485504_i32 : i32
    %cst_4 = arith.constant -0.693147182 : f32
    %8 = math.fma %5, %cst_4, %3 : f32
    %cst_5 = arith.constant 1.90465421E-9 : f32
    %9 = math.fma %5, %cst_5, %8 : f32
    %cst_6 = arith.constant 1.98910799E-4 : f32
    %cst_7 = arith.constant 0.00139337312 : f32
    %10 = math.fma %cst_6, %9, %cst_7 : f32
    %cst_8 = arith.constant 8.333310e-03 : f32
    %11 = math.fma %10, %9, %cst_8 : f32
    %cst_9 = arith.constant 0.041666463 : f32
    %12 = math.fma %11, %9, %cst_9 : f32
    %cst_10 = arith.constant 0.166666672 : f32
    %13 = math.fma %12, %9, %cst_10 : f32
    %cst_11 = arith.constant 5.000000e-01 : f32
    %14 = math.fma %13, %9, %cst_11 : f32
    %15 = arith.mulf %9, %9 : f32
    %16 = math.fma %14, %15, %9 : f32
    %cst_12 = arith.constant 1.000000e+00 : f32
    %17 = arith.addf %16, %cst_12 : f32
    %c1_i32 = arith.constant 1 : i32
    %18 = arith.shrsi %7, %c1_i32 : i32
    %19 = arith.subi %7, %18 : i32
    %c127_i32 = arith.constant 127 : i32
    %20 = arith.addi %18, %c127_i32 : i32
    %c23_i32 = arith.constant 23 : i32
    %21 = arith.shli %20, %c23_i32 : i32
    %22 = arith.bitcast %21 : i32 to f32
    %23 = arith.mulf %17, %22 : f32
    %c127_i32_13 = arith.constant 127 : i32
    %24 = arith.addi %19, %c127_i32_13 : i32
    %c23_i32_14 = arith.constant 23 : i32
    %25 = arith.shli %24, %c23_i32_14 : i32
    %26 = arith.bitcast %25 : i32 to f32
    %27 = arith.mulf %23, %26 : f32
    %28 = math.absf %x : f32
    func.return %27, %28 : f32, f32
  }
}
