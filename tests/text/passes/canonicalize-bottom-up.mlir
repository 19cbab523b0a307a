// pass: builtin.module(canonicalize{top-down=false})
// From the bottom up, sums of constants are seen before their terms are constants; what a rule makes does not match it again.
module {
  func.func @chain(%x: i32) -> (i32, i32) {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %a = arith.addi %c1, %c2 : i32
    %b = arith.addi %a, %c5 : i32
    %c = arith.addi %b, %c2 : i32
    %d = arith.addi %x, %c : i32
    %e = arith.addi %d, %c5 : i32
    func.return %c, %e : i32, i32
  }
}
// ===== expected
builtin.module {
  func.func @chain(%x: i32) -> (i32, i32) {
    %c10_i32 = arith.constant 10 : i32
    %c15_i32 = arith.constant 15 : i32
    %0 = arith.addi %x, %c15_i32 : i32
    func.return %c10_i32, %0 : i32, i32
  }
}
