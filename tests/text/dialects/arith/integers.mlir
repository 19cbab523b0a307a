// round-trip
// Integer arithmetic on every kind of integer; overflow flags and `exact` are kept.
builtin.module {
  func.func @binary(%arg0: i32, %arg1: i32) {
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = arith.subi %arg0, %arg1 : i32
    %2 = arith.muli %arg0, %arg1 : i32
    %3 = arith.divsi %arg0, %arg1 : i32
    %4 = arith.divui %arg0, %arg1 : i32
    %5 = arith.remsi %arg0, %arg1 : i32
    %6 = arith.remui %arg0, %arg1 : i32
    %7 = arith.ceildivsi %arg0, %arg1 : i32
    %8 = arith.ceildivui %arg0, %arg1 : i32
    %9 = arith.floordivsi %arg0, %arg1 : i32
    %10 = arith.andi %arg0, %arg1 : i32
    %11 = arith.ori %arg0, %arg1 : i32
    %12 = arith.xori %arg0, %arg1 : i32
    %13 = arith.maxsi %arg0, %arg1 : i32
    %14 = arith.maxui %arg0, %arg1 : i32
    %15 = arith.minsi %arg0, %arg1 : i32
    %16 = arith.minui %arg0, %arg1 : i32
    %17 = arith.shli %arg0, %arg1 : i32
    %18 = arith.shrsi %arg0, %arg1 : i32
    %19 = arith.shrui %arg0, %arg1 : i32
    func.return
  }
  func.func @types(%a: i1, %b: i8, %c: i64, %d: index, %e: vector<4xi16>) {
    %0 = arith.xori %a, %a : i1
    %1 = arith.addi %b, %b overflow<nsw> : i8
    %2 = arith.muli %c, %c overflow<nsw, nuw> : i64
    %3 = arith.divsi %c, %c exact : i64
    %4 = arith.subi %d, %d : index
    %5 = arith.addi %e, %e : vector<4xi16>
    func.return
  }
}
