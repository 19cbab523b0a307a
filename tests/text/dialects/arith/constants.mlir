// round-trip
// Constants: extremes of integers, floats that decimal notation cannot say, vectors.
builtin.module {
  func.func @constants() {
    %true = arith.constant true
    %c-128_i8 = arith.constant -128 : i8
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %c7 = arith.constant 7 : index
    %cst = arith.constant 1.000000e-01 : f32
    %inf = arith.constant 0x7F800000 : f32
    %nan = arith.constant 0x7FF8000000000000 : f64
    %zero = arith.constant -0.000000e+00 : f16
    %third = arith.constant 0.333333343 : f32
    %splat = arith.constant dense<1.500000e+00> : vector<4xf32>
    %list = arith.constant dense<[1, -2, 3]> : vector<3xi32>
    func.return
  }
}
