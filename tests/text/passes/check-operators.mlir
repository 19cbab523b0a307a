// pass: builtin.module(check-operators)
// An operator that is associative with a neutral initial value: nothing is said, nothing changes.
builtin.module {
  func.func @main(%xs: !array.array<[n]i32>) -> i32 {
    %zero = arith.constant 0 : i32
    %r = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    func.return %r : i32
  }
}
// ===== expected
builtin.module {
  func.func @main(%xs: !array.array<[n]i32>) -> i32 {
    %zero = arith.constant 0 : i32
    %r = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    func.return %r : i32
  }
}
