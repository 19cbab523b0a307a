// round-trip
// Every op of math, in its custom form.
builtin.module {
  func.func @math(%a: f32, %b: f32, %i: i32, %v: vector<4xf16>) -> f32 {
    %0 = math.absf %a : f32
    %1 = math.atan %0 : f32
    %2 = math.atan2 %1, %b : f32
    %3 = math.ceil %2 : f32
    %4 = math.copysign %3, %b : f32
    %5 = math.cos %4 : f32
    %6 = math.erf %5 : f32
    %7 = math.exp %6 fastmath<afn> : f32
    %8 = math.exp2 %7 : f32
    %9 = math.expm1 %8 : f32
    %10 = math.floor %9 : f32
    %11 = math.fma %10, %b, %a : f32
    %12 = math.log %11 : f32
    %13 = math.log10 %12 : f32
    %14 = math.log1p %13 : f32
    %15 = math.log2 %14 : f32
    %16 = math.powf %15, %b : f32
    %17 = math.round %16 : f32
    %18 = math.roundeven %17 : f32
    %19 = math.rsqrt %18 : f32
    %20 = math.sin %19 : f32
    %21 = math.sqrt %20 : f32
    %22 = math.tan %21 : f32
    %23 = math.tanh %22 : f32
    %24 = math.trunc %23 : f32
    %25 = math.absi %i : i32
    %26 = math.ctlz %25 : i32
    %27 = math.ctpop %26 : i32
    %28 = math.cttz %27 : i32
    %29 = math.sqrt %v : vector<4xf16>
    func.return %24 : f32
  }
}
