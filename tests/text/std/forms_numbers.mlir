// round-trip
// Ops of arith and math with several results or types.
builtin.module {
  func.func @numbers(%a: i32, %b: i8, %x: f32, %y: f64, %v: vector<4xf32>, %vi: vector<4xi32>, %s: f8E8M0FNU, %h: f4E2M1FN, %j: i32) {
    %0:2 = arith.addui_extended %a, %a : i32, i1
    %1:2 = arith.addui_extended %vi, %vi {test.note} : vector<4xi32>, vector<4xi1>
    %2:2 = arith.mulsi_extended %a, %a : i32
    %3:2 = arith.mului_extended %vi, %vi : vector<4xi32>
    %4 = arith.scaling_extf %h, %s : f4E2M1FN, f8E8M0FNU to f32
    %5 = arith.scaling_extf %h, %s fastmath<fast> : f4E2M1FN, f8E8M0FNU to f32
    %6 = arith.scaling_truncf %x, %s : f32, f8E8M0FNU to f4E2M1FN
    %7 = arith.scaling_truncf %x, %s to_nearest_even fastmath<nnan> : f32, f8E8M0FNU to f4E2M1FN
    %8 = math.clampf %x to [%x, %x] : f32
    %9 = math.clampf %v to [%v, %v] fastmath<nnan,ninf> {test.note} : vector<4xf32>
    %10 = math.fpowi %x, %a : f32, i32
    %11 = math.fpowi %v, %vi fastmath<fast> : vector<4xf32>, vector<4xi32>
    %12 = math.ipowi %a, %a : i32
    %13:2 = math.sincos %x : f32
    %14:2 = math.sincos %v fastmath<fast> : vector<4xf32>
    %20 = math.isfinite %x : f32
    %21 = math.isinf %v : vector<4xf32>
    %22 = math.isnan %x {fastmath = #arith.fastmath<fast>} : f32
    %23 = math.isnormal %y {test.note} : f64
    func.return
  }
}
