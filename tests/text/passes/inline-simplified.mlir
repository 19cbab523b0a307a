// pass: builtin.module(inline)
// upstream: --inline
// With the default pipeline, functions are canonicalized before they are inlined.
module {
  func.func private @known() -> i32 {
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %s = arith.addi %c2, %c3 : i32
    return %s : i32
  }
  func.func private @choose(%c: i1, %x: i32) -> i32 {
    cf.cond_br %c, ^a(%x : i32), ^b
  ^a(%r: i32):
    return %r : i32
  ^b:
    %k = func.call @known() : () -> i32
    cf.br ^a(%k : i32)
  }
  func.func @main(%x: i32) -> i32 {
    %true = arith.constant true
    %a = func.call @choose(%true, %x) : (i1, i32) -> i32
    %k = func.call @known() : () -> i32
    %s = arith.addi %a, %k : i32
    return %s : i32
  }
}
// ===== expected
builtin.module {
  func.func @main(%x: i32) -> i32 {
    %c5_i32 = arith.constant 5 : i32
    %s = arith.addi %x, %c5_i32 : i32
    func.return %s : i32
  }
}
