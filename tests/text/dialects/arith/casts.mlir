// round-trip
// Conversions between number formats.
builtin.module {
  func.func @casts(%a0: i8, %a1: i1, %a2: i64, %a3: f16, %a4: f64, %a5: i32, %a6: i8, %a7: f32, %a8: f64, %a9: index, %a10: i64, %a11: f32) {
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.extui %a1 : i1 to i64
    %2 = arith.trunci %a2 : i64 to i8
    %3 = arith.extf %a3 : f16 to f32
    %4 = arith.truncf %a4 : f64 to bf16
    %5 = arith.sitofp %a5 : i32 to f32
    %6 = arith.uitofp %a6 : i8 to f64
    %7 = arith.fptosi %a7 : f32 to i64
    %8 = arith.fptoui %a8 : f64 to i8
    %9 = arith.index_cast %a9 : index to i32
    %10 = arith.index_castui %a10 : i64 to index
    %11 = arith.bitcast %a11 : f32 to i32
    func.return
  }
}
