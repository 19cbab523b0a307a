// pass: builtin.module(sccp)
// An op whose results are constants goes, whether or not somebody reads them. (Upstream leaves a constant nobody reads.)
module {
  func.func @dead(%x: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %s = arith.addi %c1, %c2 : i32
    %t = arith.addi %x, %c2 : i32
    func.return %t : i32
  }
}
// ===== expected
builtin.module {
  func.func @dead(%x: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %t = arith.addi %x, %c2 : i32
    func.return %t : i32
  }
}
