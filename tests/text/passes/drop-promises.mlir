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
