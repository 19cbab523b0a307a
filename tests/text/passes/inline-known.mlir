// pass: builtin.module(inline)
// upstream: --inline
// A call of a function that is a known value is inlined.
module {
  func.func private @twice(%x: i32) -> i32 {
    %r = arith.addi %x, %x : i32
    return %r : i32
  }
  func.func @main(%x: i32) -> i32 {
    %f = "func.constant"() <{value = @twice}> : () -> ((i32) -> i32)
    %r = "func.call_indirect"(%f, %x) : ((i32) -> i32, i32) -> i32
    return %r : i32
  }
}
// ===== expected
builtin.module {
  func.func @main(%x: i32) -> i32 {
    %r = arith.addi %x, %x : i32
    func.return %r : i32
  }
}
