// round-trip
// Every op of arith, in its custom form.
builtin.module {
  func.func @integers(%a: i32, %b: i32, %v: vector<4xi8>) -> i32 {
    %0 = arith.addi %a, %b : i32
    %1 = arith.subi %0, %b overflow<nsw, nuw> : i32
    %2 = arith.muli %1, %b overflow<nsw> : i32
    %3 = arith.divsi %2, %b : i32
    %4 = arith.divui %3, %b exact : i32
    %5 = arith.ceildivsi %4, %b : i32
    %6 = arith.ceildivui %5, %b : i32
    %7 = arith.floordivsi %6, %b : i32
    %8 = arith.remsi %7, %b : i32
    %9 = arith.remui %8, %b : i32
    %10 = arith.andi %9, %b : i32
    %11 = arith.ori %10, %b : i32
    %12 = arith.xori %11, %b : i32
    %13 = arith.shli %12, %b overflow<nuw> : i32
    %14 = arith.shrui %13, %b : i32
    %15 = arith.shrsi %14, %b exact : i32
    %16 = arith.maxsi %15, %b : i32
    %17 = arith.maxui %16, %b : i32
    %18 = arith.minsi %17, %b : i32
    %19 = arith.minui %18, %b : i32
    %20 = arith.addi %v, %v : vector<4xi8>
    func.return %19 : i32
  }
  func.func @floats(%a: f32, %b: f32, %v: vector<2x2xf64>) -> f32 {
    %0 = arith.addf %a, %b : f32
    %1 = arith.subf %0, %b fastmath<reassoc,contract> : f32
    %2 = arith.mulf %1, %b fastmath<fast> : f32
    %3 = arith.divf %2, %b : f32
    %4 = arith.remf %3, %b : f32
    %5 = arith.maximumf %4, %b : f32
    %6 = arith.maxnumf %5, %b : f32
    %7 = arith.minimumf %6, %b : f32
    %8 = arith.minnumf %7, %b : f32
    %9 = arith.negf %8 : f32
    %10 = arith.mulf %v, %v : vector<2x2xf64>
    func.return %9 : f32
  }
  func.func @comparisons(%a: i32, %b: f32, %v: vector<4xi32>, %c: i1) -> i1 {
    %0 = arith.cmpi slt, %a, %a : i32
    %1 = arith.cmpf uge, %b, %b fastmath<nnan> : f32
    %2 = arith.cmpi eq, %v, %v : vector<4xi32>
    %3 = arith.select %0, %a, %a : i32
    %4 = arith.select %c, %v, %v : vector<4xi32>
    %5 = arith.select %2, %v, %v : vector<4xi1>, vector<4xi32>
    func.return %1 : i1
  }
  func.func @conversions(%a: i32, %b: f32, %i: index) {
    %0 = arith.extsi %a : i32 to i64
    %1 = arith.extui %a : i32 to i64
    %2 = arith.trunci %a overflow<nsw> : i32 to i8
    %3 = arith.extf %b : f32 to f64
    %4 = arith.truncf %3 : f64 to f16
    %5 = arith.truncf %b to_nearest_even : f32 to bf16
    %6 = arith.sitofp %a : i32 to f32
    %7 = arith.uitofp %a : i32 to f64
    %8 = arith.fptosi %b : f32 to i32
    %9 = arith.fptoui %b : f32 to i8
    %10 = arith.index_cast %a : i32 to index
    %11 = arith.index_castui %i : index to i32
    %12 = arith.bitcast %b : f32 to i32
    func.return
  }
  func.func @constants() -> index {
    %true = arith.constant true
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 1.500000e+00 : f32
    %cst_0 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
    %c-7 = arith.constant -7 : index
    func.return %c-7 : index
  }
  func.func @open_extents(%a: tensor<4xi32>, %b: tensor<?xi32>) -> tensor<4xi32> {
    %0 = "arith.addi"(%a, %b) <{overflowFlags = #arith.overflow<nsw>}> : (tensor<4xi32>, tensor<?xi32>) -> tensor<4xi32>
    %1 = arith.addi %0, %a overflow<nsw> : tensor<4xi32>
    func.return %1 : tensor<4xi32>
  }
}
