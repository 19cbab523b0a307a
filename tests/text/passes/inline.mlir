// pass: builtin.module(inline{default-pipeline=""})
// upstream: --inline=default-pipeline=
// Bodies of one and of several blocks, chains of calls, recursion.
module {
  func.func @add(%x: i32, %y: i32) -> i32 {
    %s = arith.addi %x, %y : i32
    return %s : i32
  }
  func.func private @twice(%x: i32) -> i32 {
    %s = func.call @add(%x, %x) : (i32, i32) -> i32
    return %s : i32
  }
  func.func @main(%x: i32) -> i32 {
    %a = func.call @twice(%x) : (i32) -> i32
    %b = func.call @twice(%a) : (i32) -> i32
    return %b : i32
  }
  func.func @choose(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    return %x : i32
  ^b:
    return %y : i32
  }
  func.func @of_blocks(%c: i1, %x: i32) -> i32 {
    %d = arith.addi %x, %x : i32
    %r = func.call @choose(%c, %x, %d) : (i1, i32, i32) -> i32
    %s = arith.muli %r, %x : i32
    return %s : i32
  }
  func.func @in_one_block_only(%c: i1, %x: i32) -> i32 {
    %r = scf.if %c -> (i32) {
      %v = func.call @choose(%c, %x, %x) : (i1, i32, i32) -> i32
      scf.yield %v : i32
    } else {
      %w = func.call @add(%x, %x) : (i32, i32) -> i32
      scf.yield %w : i32
    }
    return %r : i32
  }
  func.func @recursive(%x: i32) -> i32 {
    %r = func.call @recursive(%x) : (i32) -> i32
    return %r : i32
  }
  func.func @calls_recursive(%x: i32) -> i32 {
    %r = func.call @recursive(%x) : (i32) -> i32
    return %r : i32
  }
  func.func private @external(i32) -> i32
  func.func @calls_external(%x: i32) -> i32 {
    %r = func.call @external(%x) : (i32) -> i32
    return %r : i32
  }
  func.func private @dead(%x: i32) -> i32 {
    return %x : i32
  }
}
// ===== expected
builtin.module {
  func.func @add(%x: i32, %y: i32) -> i32 {
    %s = arith.addi %x, %y : i32
    func.return %s : i32
  }
  func.func @main(%x: i32) -> i32 {
    %s = arith.addi %x, %x : i32
    %s_0 = arith.addi %s, %s : i32
    func.return %s_0 : i32
  }
  func.func @choose(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:  // pred: ^bb0
    func.return %x : i32
  ^b:  // pred: ^bb0
    func.return %y : i32
  }
  func.func @of_blocks(%c: i1, %x: i32) -> i32 {
    %d = arith.addi %x, %x : i32
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    cf.br ^bb3(%x : i32)
  ^bb2:  // pred: ^bb0
    cf.br ^bb3(%d : i32)
  ^bb3(%r: i32):  // 2 preds: ^bb1, ^bb2
    %s = arith.muli %r, %x : i32
    func.return %s : i32
  }
  func.func @in_one_block_only(%c: i1, %x: i32) -> i32 {
    %r = scf.if %c -> (i32) {
      %v = func.call @choose(%c, %x, %x) : (i1, i32, i32) -> i32
      scf.yield %v : i32
    } else {
      %s = arith.addi %x, %x : i32
      scf.yield %s : i32
    }
    func.return %r : i32
  }
  func.func @recursive(%x: i32) -> i32 {
    %r = func.call @recursive(%x) : (i32) -> i32
    func.return %r : i32
  }
  func.func @calls_recursive(%x: i32) -> i32 {
    %r = func.call @recursive(%x) : (i32) -> i32
    func.return %r : i32
  }
  func.func private @external(i32) -> i32
  func.func @calls_external(%x: i32) -> i32 {
    %r = func.call @external(%x) : (i32) -> i32
    func.return %r : i32
  }
}
