// pass: builtin.module(apply-rules)
// The shipped rules: identities that folding one op does not see.
module {
  func.func @f(%x: i32, %y: i32, %c: i1) -> (i32, i1, i32) {
    %s = arith.addi %x, %y : i32
    %d = arith.subi %s, %y : i32
    %m1 = arith.constant -1 : i32
    %n = arith.muli %m1, %y : i32
    %e = arith.addi %d, %n : i32
    %true = arith.constant true
    %lt = arith.cmpi slt, %x, %y : i32
    %ge = arith.xori %lt, %true : i1
    %nc = arith.xori %c, %true : i1
    %sel = arith.select %nc, %x, %y : i32
    return %e, %ge, %sel : i32, i1, i32
  }
}
// ===== expected
builtin.module {
  func.func @f(%x: i32, %y: i32, %c: i1) -> (i32, i1, i32) {
    %0 = arith.subi %x, %y : i32
    %1 = arith.cmpi sge, %x, %y : i32
    %2 = arith.select %c, %y, %x : i32
    func.return %0, %1, %2 : i32, i1, i32
  }
}
