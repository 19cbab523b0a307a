// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Integers compared as floats with a constant: compared as integers, or known.
module {
  func.func @unsigned(%x: i32) -> (i1, i1, i1, i1, i1, i1) {
    %f = arith.uitofp %x : i32 to f64
    %half = arith.constant 7.5 : f64
    %whole = arith.constant 7.0 : f64
    %less = arith.constant -7.5 : f64
    %large = arith.constant 1.0e+10 : f64
    %0 = arith.cmpf olt, %f, %half : f64
    %1 = arith.cmpf uge, %f, %half : f64
    %2 = arith.cmpf oeq, %f, %whole : f64
    %3 = arith.cmpf oge, %f, %less : f64
    %4 = arith.cmpf ule, %f, %large : f64
    %5 = arith.cmpf une, %f, %half : f64
    return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
  }
  func.func @signed(%x: i16) -> (i1, i1, i1, i1, i1, i1, i1) {
    %f = arith.sitofp %x : i16 to f32
    %less = arith.constant -2.5 : f32
    %more = arith.constant 2.5 : f32
    %inf = arith.constant 0x7F800000 : f32
    %zero = arith.constant -0.0 : f32
    %0 = arith.cmpf ole, %f, %less : f32
    %1 = arith.cmpf ogt, %f, %less : f32
    %2 = arith.cmpf olt, %f, %more : f32
    %3 = arith.cmpf oge, %f, %more : f32
    %4 = arith.cmpf ord, %f, %more : f32
    %5 = arith.cmpf olt, %f, %inf : f32
    %6 = arith.cmpf ugt, %f, %zero : f32
    return %0, %1, %2, %3, %4, %5, %6 : i1, i1, i1, i1, i1, i1, i1
  }
  func.func @rounded(%x: i64, %y: i32) -> (i1, i1, i1, i1) {
    %f = arith.sitofp %x : i64 to f32
    %g = arith.uitofp %y : i32 to f16
    %near = arith.constant 16777216.0 : f32
    %small = arith.constant 1024.0 : f32
    %far = arith.constant 1.0e+30 : f32
    %inf = arith.constant 0x7C00 : f16
    %0 = arith.cmpf olt, %f, %near : f32
    %1 = arith.cmpf olt, %f, %small : f32
    %2 = arith.cmpf ogt, %f, %far : f32
    %3 = arith.cmpf oeq, %g, %inf : f16
    return %0, %1, %2, %3 : i1, i1, i1, i1
  }
}
// ===== expected
builtin.module {
  func.func @unsigned(%x: i32) -> (i1, i1, i1, i1, i1, i1) {
    %c7_i32 = arith.constant 7 : i32
    %true = arith.constant true
    %0 = arith.cmpi ule, %x, %c7_i32 : i32
    %1 = arith.cmpi ugt, %x, %c7_i32 : i32
    %2 = arith.cmpi eq, %x, %c7_i32 : i32
    func.return %0, %1, %2, %true, %true, %true : i1, i1, i1, i1, i1, i1
  }
  func.func @signed(%x: i16) -> (i1, i1, i1, i1, i1, i1, i1) {
    %c-2_i16 = arith.constant -2 : i16
    %c2_i16 = arith.constant 2 : i16
    %true = arith.constant true
    %c0_i16 = arith.constant 0 : i16
    %0 = arith.cmpi slt, %x, %c-2_i16 : i16
    %1 = arith.cmpi sge, %x, %c-2_i16 : i16
    %2 = arith.cmpi sle, %x, %c2_i16 : i16
    %3 = arith.cmpi sgt, %x, %c2_i16 : i16
    %4 = arith.cmpi sgt, %x, %c0_i16 : i16
    func.return %0, %1, %2, %3, %true, %true, %4 : i1, i1, i1, i1, i1, i1, i1
  }
  func.func @rounded(%x: i64, %y: i32) -> (i1, i1, i1, i1) {
    %near = arith.constant 0x4B800000 : f32
    %inf = arith.constant 0x7C00 : f16
    %c1024_i64 = arith.constant 1024 : i64
    %false = arith.constant false
    %f = arith.sitofp %x : i64 to f32
    %g = arith.uitofp %y : i32 to f16
    %0 = arith.cmpf olt, %f, %near : f32
    %1 = arith.cmpi slt, %x, %c1024_i64 : i64
    %2 = arith.cmpf oeq, %g, %inf : f16
    func.return %0, %1, %false, %2 : i1, i1, i1, i1
  }
}
