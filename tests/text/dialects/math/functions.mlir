// round-trip
// Functions of one, two and three numbers.
builtin.module {
  func.func @floats(%x: f32, %y: f32, %z: f32) {
    %0 = math.absf %x : f32
    %1 = math.atan %x : f32
    %2 = math.ceil %x : f32
    %3 = math.cos %x : f32
    %4 = math.erf %x : f32
    %5 = math.exp %x : f32
    %6 = math.exp2 %x : f32
    %7 = math.expm1 %x : f32
    %8 = math.floor %x : f32
    %9 = math.log %x : f32
    %10 = math.log10 %x : f32
    %11 = math.log1p %x : f32
    %12 = math.log2 %x : f32
    %13 = math.round %x : f32
    %14 = math.roundeven %x : f32
    %15 = math.rsqrt %x : f32
    %16 = math.sin %x : f32
    %17 = math.sqrt %x : f32
    %18 = math.tan %x : f32
    %19 = math.tanh %x : f32
    %20 = math.trunc %x : f32
    %21 = math.atan2 %x, %y : f32
    %22 = math.copysign %x, %y : f32
    %23 = math.powf %x, %y : f32
    %24 = math.fma %x, %y, %z : f32
    %25 = math.exp %x fastmath<afn> : f32
    func.return
  }
  func.func @integers(%n: i32) {
    %0 = math.absi %n : i32
    %1 = math.ctlz %n : i32
    %2 = math.ctpop %n : i32
    %3 = math.cttz %n : i32
    func.return
  }
}
