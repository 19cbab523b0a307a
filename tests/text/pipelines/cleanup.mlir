// pass: builtin.module(cleanup)
// Folding makes ops equal, merging makes them dead, and the last call to a function may go with them.
module {
  func.func private @helper(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @main(%x: i32) -> i32 {
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %y = arith.addi %x, %c0 : i32
    %a = arith.muli %x, %x : i32
    %b = arith.muli %y, %y : i32
    %d = arith.subi %a, %b : i32
    %r = scf.if %false -> (i32) {
      %0 = func.call @helper(%d) : (i32) -> i32
      scf.yield %0 : i32
    } else {
      scf.yield %a : i32
    }
    return %r : i32
  }
}
// ===== expected
builtin.module {
  func.func @main(%x: i32) -> i32 {
    %a = arith.muli %x, %x : i32
    func.return %a : i32
  }
}
