// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Floats rounded once instead of twice, roundings undone where they may be, products with zero, functions of constants.
module {
  func.func @widened(%x: f32, %y: bf16) -> (f32, f16, bf16) {
    %0 = arith.extf %x : f32 to f64
    %1 = arith.truncf %0 : f64 to f32
    %2 = arith.truncf %0 : f64 to f16
    %3 = arith.extf %y : bf16 to f32
    %4 = arith.truncf %3 : f32 to bf16
    return %1, %2, %4 : f32, f16, bf16
  }
  func.func @made_from_integers(%x: i32, %y: i16) -> (f32, f32) {
    %0 = arith.sitofp %x : i32 to f64
    %1 = arith.truncf %0 : f64 to f32
    %2 = arith.uitofp %y : i16 to f64
    %3 = arith.truncf %2 : f64 to f32
    return %1, %3 : f32, f32
  }
  func.func @contracted(%x: f32) -> (f32, f32) {
    %0 = arith.truncf %x fastmath<contract> : f32 to bf16
    %1 = arith.extf %0 fastmath<contract> : bf16 to f32
    %2 = arith.extf %0 : bf16 to f32
    return %1, %2 : f32, f32
  }
  func.func @times_zero(%x: f32) -> (f32, f32) {
    %zero = arith.constant 0.0 : f32
    %0 = arith.mulf %x, %zero fastmath<nnan,nsz> : f32
    %1 = arith.mulf %x, %zero fastmath<nnan> : f32
    return %0, %1 : f32, f32
  }
  func.func @same_bits(%x: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to f32
    return %0 : f32
  }
  func.func @functions() -> (f32, f64, f32, f32, f32, f32, f32, f32, f32, i1, i1, f16) {
    %two = arith.constant 2.0 : f32
    %half = arith.constant 0.5 : f64
    %minus = arith.constant -2.0 : f32
    %narrow = arith.constant 2.0 : f16
    %0 = math.exp %two : f32
    %1 = math.sin %half : f64
    %2 = math.log %two : f32
    %3 = math.log %minus : f32
    %4 = math.powf %two, %minus : f32
    %5 = math.atan2 %two, %minus : f32
    %6 = math.erf %two : f32
    %7 = math.tanh %two : f32
    %8 = math.log1p %minus : f32
    %9 = "math.isnan"(%two) : (f32) -> i1
    %10 = "math.isfinite"(%minus) : (f32) -> i1
    %11 = math.exp %narrow : f16
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : f32, f64, f32, f32, f32, f32, f32, f32, f32, i1, i1, f16
  }
}
// ===== expected
builtin.module {
  func.func @widened(%x: f32, %y: bf16) -> (f32, f16, bf16) {
    %0 = arith.truncf %x : f32 to f16
    func.return %x, %0, %y : f32, f16, bf16
  }
  func.func @made_from_integers(%x: i32, %y: i16) -> (f32, f32) {
    %0 = arith.sitofp %x : i32 to f32
    %1 = arith.uitofp %y : i16 to f32
    func.return %0, %1 : f32, f32
  }
  func.func @contracted(%x: f32) -> (f32, f32) {
    %0 = arith.truncf %x fastmath<contract> : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    func.return %x, %1 : f32, f32
  }
  func.func @times_zero(%x: f32) -> (f32, f32) {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = arith.mulf %x, %zero fastmath<nnan> : f32
    func.return %zero, %0 : f32, f32
  }
  func.func @same_bits(%x: f32) -> f32 {
    func.return %x : f32
  }
  func.func @functions() -> (f32, f64, f32, f32, f32, f32, f32, f32, f32, i1, i1, f16) {
    %minus = arith.constant -2.000000e+00 : f32
    %narrow = arith.constant 2.000000e+00 : f16
    %cst = arith.constant 7.3890562 : f32
    %cst_0 = arith.constant 0.47942553860420301 : f64
    %cst_1 = arith.constant 0.693147182 : f32
    %cst_2 = arith.constant 2.500000e-01 : f32
    %cst_3 = arith.constant 2.3561945 : f32
    %cst_4 = arith.constant 0.995322287 : f32
    %cst_5 = arith.constant 0.964027583 : f32
    %false = arith.constant false
    %true = arith.constant true
    %0 = math.log %minus : f32
    %1 = math.log1p %minus : f32
    %2 = math.exp %narrow : f16
    func.return %cst, %cst_0, %cst_1, %0, %cst_2, %cst_3, %cst_4, %cst_5, %1, %false, %true, %2 : f32, f64, f32, f32, f32, f32, f32, f32, f32, i1, i1, f16
  }
}
