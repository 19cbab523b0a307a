// pass: builtin.module(func.func(drop-promises))
// Flags that promise something go, those that permit something stay; the sign of a NaN counts as plus.
module {
  func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %xs: vector<4xf32>) -> (i32, i32, i8, f32, f32, f32, vector<4xf32>) {
    %0 = arith.addi %a, %b overflow<nsw, nuw> : i32
    %1 = arith.shrui %0, %b exact : i32
    %2 = arith.trunci %1 overflow<nuw> : i32 to i8
    %3 = arith.divf %x, %y fastmath<nnan,ninf> : f32
    %4 = arith.addf %3, %y fastmath<fast> : f32
    %5 = math.copysign %x, %4 : f32
    %6 = math.copysign %xs, %xs : vector<4xf32>
    return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i8, f32, f32, f32, vector<4xf32>
  }
}
// ===== expected
builtin.module {
  func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %xs: vector<4xf32>) -> (i32, i32, i8, f32, f32, f32, vector<4xf32>) {
    %0 = arith.addi %a, %b : i32
    %1 = arith.shrui %0, %b : i32
    %2 = arith.trunci %1 : i32 to i8
    %3 = arith.divf %x, %y : f32
    %4 = arith.addf %3, %y fastmath<reassoc,nsz,arcp,contract,afn> : f32
    %5 = arith.cmpf uno, %4, %4 : f32
    %6 = math.absf %4 : f32
    %7 = arith.select %5, %6, %4 : f32
    %8 = math.copysign %x, %7 : f32
    %9 = arith.cmpf uno, %xs, %xs : vector<4xf32>
    %10 = math.absf %xs : vector<4xf32>
    %11 = arith.select %9, %10, %xs : vector<4xi1>, vector<4xf32>
    %12 = math.copysign %xs, %11 : vector<4xf32>
    func.return %0, %1, %2, %3, %4, %8, %12 : i32, i32, i8, f32, f32, f32, vector<4xf32>
  }
}
