// pass: builtin.module(sccp)
// upstream: --sccp
// Constants along the branches that can be taken: through blocks, loops between blocks, regions and calls.
module {
  func.func @one_way(%x: i32) -> i32 {
    %true = arith.constant true
    %c1 = arith.constant 1 : i32
    cf.cond_br %true, ^a, ^b
  ^a:
    cf.br ^exit(%c1 : i32)
  ^b:
    cf.br ^exit(%x : i32)
  ^exit(%r: i32):
    %s = arith.addi %r, %r : i32
    return %s : i32
  }
  func.func @around(%c: i1) -> i32 {
    %c1 = arith.constant 1 : i32
    cf.br ^head(%c1 : i32)
  ^head(%u: i32):
    %v = arith.muli %u, %u : i32
    cf.cond_br %c, ^head(%v : i32), ^exit(%v : i32)
  ^exit(%w: i32):
    return %w : i32
  }
  func.func @differs(%c: i1) -> i32 {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    cf.cond_br %c, ^exit(%c1 : i32), ^exit(%c2 : i32)
  ^exit(%w: i32):
    %s = arith.addi %w, %c1 : i32
    return %s : i32
  }
  func.func @regions(%c: i1, %n: index) -> (i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %same = scf.if %c -> (i32) {
      scf.yield %c1 : i32
    } else {
      %x = arith.subi %c2, %c1 : i32
      scf.yield %x : i32
    }
    %kept:2 = scf.for %i = %c0 to %n step %i1 iter_args(%a = %c1, %b = %c2) -> (i32, i32) {
      %p = arith.muli %a, %c1 : i32
      %q = arith.addi %b, %p : i32
      scf.yield %p, %q : i32, i32
    }
    %w = scf.while (%a = %c1) : (i32) -> i32 {
      scf.condition(%c) %a : i32
    } do {
    ^bb0(%a: i32):
      %p = arith.muli %a, %a : i32
      scf.yield %p : i32
    }
    %k = arith.addi %kept#0, %w : i32
    return %same, %kept#1, %k : i32, i32, i32
  }
  func.func private @callee(%x: i32, %y: i32) -> (i32, i32) {
    %s = arith.addi %x, %x : i32
    return %s, %y : i32, i32
  }
  func.func @calls(%y: i32) -> (i32, i32) {
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %a:2 = func.call @callee(%c2, %y) : (i32, i32) -> (i32, i32)
    %b:2 = func.call @callee(%c2, %c3) : (i32, i32) -> (i32, i32)
    %s = arith.addi %a#0, %b#1 : i32
    return %s, %a#1 : i32, i32
  }
  func.func private @recursive(%x: i32, %c: i1) -> i32 {
    cf.cond_br %c, ^again, ^done
  ^again:
    %r = func.call @recursive(%x, %c) : (i32, i1) -> i32
    return %r : i32
  ^done:
    return %x : i32
  }
  func.func @calls_recursive(%c: i1) -> i32 {
    %c7 = arith.constant 7 : i32
    %r = func.call @recursive(%c7, %c) : (i32, i1) -> i32
    return %r : i32
  }
  func.func @public(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @calls_public() -> i32 {
    %c7 = arith.constant 7 : i32
    %r = func.call @public(%c7) : (i32) -> i32
    return %r : i32
  }
}
// ===== expected
builtin.module {
  func.func @one_way(%x: i32) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %true = arith.constant true
    cf.cond_br %true, ^a, ^b
  ^a:  // pred: ^bb0
    cf.br ^exit(%c1_i32 : i32)
  ^b:  // pred: ^bb0
    cf.br ^exit(%x : i32)
  ^exit(%r: i32):  // 2 preds: ^a, ^b
    func.return %c2_i32 : i32
  }
  func.func @around(%c: i1) -> i32 {
    %c1_i32 = arith.constant 1 : i32
    cf.br ^head(%c1_i32 : i32)
  ^head(%u: i32):  // 2 preds: ^bb0, ^head
    cf.cond_br %c, ^head(%c1_i32 : i32), ^exit(%c1_i32 : i32)
  ^exit(%w: i32):  // pred: ^head
    func.return %c1_i32 : i32
  }
  func.func @differs(%c: i1) -> i32 {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    cf.cond_br %c, ^exit(%c1 : i32), ^exit(%c2 : i32)
  ^exit(%w: i32):  // 2 preds: ^bb0, ^bb0
    %s = arith.addi %w, %c1 : i32
    func.return %s : i32
  }
  func.func @regions(%c: i1, %n: index) -> (i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %kept:2 = scf.for %i = %c0 to %n step %i1 iter_args(%a = %c1, %b = %c2) -> (i32, i32) {
      %q = arith.addi %b, %c1 : i32
      scf.yield %c1, %q : i32, i32
    }
    func.return %c1, %kept#1, %c2 : i32, i32, i32
  }
  func.func private @callee(%x: i32, %y: i32) -> (i32, i32) {
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    func.return %c4_i32, %y : i32, i32
  }
  func.func @calls(%y: i32) -> (i32, i32) {
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %a:2 = func.call @callee(%c2, %y) : (i32, i32) -> (i32, i32)
    %b:2 = func.call @callee(%c2, %c3) : (i32, i32) -> (i32, i32)
    %s = arith.addi %c4_i32, %b#1 : i32
    func.return %s, %a#1 : i32, i32
  }
  func.func private @recursive(%x: i32, %c: i1) -> i32 {
    %c7_i32 = arith.constant 7 : i32
    cf.cond_br %c, ^again, ^done
  ^again:  // pred: ^bb0
    %r = func.call @recursive(%c7_i32, %c) : (i32, i1) -> i32
    func.return %c7_i32 : i32
  ^done:  // pred: ^bb0
    func.return %c7_i32 : i32
  }
  func.func @calls_recursive(%c: i1) -> i32 {
    %c7 = arith.constant 7 : i32
    %r = func.call @recursive(%c7, %c) : (i32, i1) -> i32
    func.return %c7 : i32
  }
  func.func @public(%x: i32) -> i32 {
    func.return %x : i32
  }
  func.func @calls_public() -> i32 {
    %c7 = arith.constant 7 : i32
    %r = func.call @public(%c7) : (i32) -> i32
    func.return %r : i32
  }
}
