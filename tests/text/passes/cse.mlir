// pass: builtin.module(cse)
// upstream: --cse
// Equal pure ops are computed once, also across regions that see the first; ops in different branches are kept.
module {
  func.func @f(%x: i32, %y: i32, %c: i1) -> (i32, i32) {
    %a = arith.addi %x, %y : i32
    %b = arith.addi %x, %y : i32
    %d = arith.subi %y, %x : i32
    %e = scf.if %c -> (i32) {
      %again = arith.addi %x, %y : i32
      %inner = arith.muli %again, %d : i32
      scf.yield %inner : i32
    } else {
      %inner = arith.muli %a, %d : i32
      scf.yield %inner : i32
    }
    %s = arith.muli %a, %b : i32
    return %s, %e : i32, i32
  }
}
// ===== expected
builtin.module {
  func.func @f(%x: i32, %y: i32, %c: i1) -> (i32, i32) {
    %a = arith.addi %x, %y : i32
    %d = arith.subi %y, %x : i32
    %e = scf.if %c -> (i32) {
      %inner = arith.muli %a, %d : i32
      scf.yield %inner : i32
    } else {
      %inner = arith.muli %a, %d : i32
      scf.yield %inner : i32
    }
    %s = arith.muli %a, %a : i32
    func.return %s, %e : i32, i32
  }
}
