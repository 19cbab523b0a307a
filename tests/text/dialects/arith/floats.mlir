// round-trip
// Floating-point arithmetic on every format; fast-math flags are kept.
builtin.module {
  func.func @binary(%arg0: f32, %arg1: f32) {
    %0 = arith.addf %arg0, %arg1 : f32
    %1 = arith.subf %arg0, %arg1 : f32
    %2 = arith.mulf %arg0, %arg1 : f32
    %3 = arith.divf %arg0, %arg1 : f32
    %4 = arith.remf %arg0, %arg1 : f32
    %5 = arith.maximumf %arg0, %arg1 : f32
    %6 = arith.minimumf %arg0, %arg1 : f32
    %7 = arith.maxnumf %arg0, %arg1 : f32
    %8 = arith.minnumf %arg0, %arg1 : f32
    func.return
  }
  func.func @types(%a: f16, %b: bf16, %c: f64, %d: vector<2x4xf32>) {
    %0 = arith.negf %a : f16
    %1 = arith.addf %b, %b fastmath<contract> : bf16
    %2 = arith.mulf %c, %c fastmath<nnan,ninf> : f64
    %3 = arith.subf %d, %d fastmath<fast> : vector<2x4xf32>
    func.return
  }
}
