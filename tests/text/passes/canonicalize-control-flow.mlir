// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Control flow that is known: branches on constants, structured ops that run once or not at all, blocks that only
// branch, blocks with one predecessor, dead values around loops.
module {
  func.func private @use(i32)
  func.func private @index(index)
  func.func private @effect()
  func.func @constant_branch(%x: i32) -> i32 {
    %true = arith.constant true
    cf.cond_br %true, ^a(%x : i32), ^b
  ^a(%y: i32):
    return %y : i32
  ^b:
    %z = arith.addi %x, %x : i32
    cf.br ^a(%z : i32)
  }
  func.func @pass_through(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^a(%x : i32), ^b
  ^a(%u: i32):
    cf.br ^exit(%u : i32)
  ^b:
    cf.br ^exit(%y : i32)
  ^exit(%r: i32):
    func.call @use(%r) : (i32) -> ()
    return %r : i32
  }
  func.func @chain(%x: i32) -> i32 {
    cf.br ^a(%x : i32)
  ^a(%u: i32):
    %v = arith.muli %u, %x : i32
    cf.br ^b(%v : i32)
  ^b(%w: i32):
    %t = arith.addi %w, %u : i32
    return %t : i32
  }
  func.func @dead_cycle(%c: i1, %x: i32) {
    cf.br ^head(%x : i32)
  ^head(%u: i32):
    %v = arith.addi %u, %u : i32
    func.call @effect() : () -> ()
    cf.cond_br %c, ^head(%v : i32), ^exit
  ^exit:
    return
  }
  func.func @known_if(%x: i32) -> i32 {
    %true = arith.constant true
    %r = scf.if %true -> (i32) {
      %a = arith.addi %x, %x : i32
      scf.yield %a : i32
    } else {
      %b = arith.muli %x, %x : i32
      scf.yield %b : i32
    }
    return %r : i32
  }
  func.func @loops(%x: i32, %n: index) -> (i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = scf.for %i = %c1 to %c0 step %c1 iter_args(%s = %x) -> (i32) {
      %t = arith.addi %s, %x : i32
      scf.yield %t : i32
    }
    %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %x) -> (i32) {
      func.call @index(%i) : (index) -> ()
      %t = arith.addi %s, %x : i32
      scf.yield %t : i32
    }
    %same:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %d = %once) -> (i32, i32) {
      func.call @use(%s) : (i32) -> ()
      %t = arith.addi %d, %s : i32
      scf.yield %s, %t : i32, i32
    }
    return %none, %once, %same#1 : i32, i32, i32
  }
  func.func @not_reached(%x: i32) -> i32 {
    return %x : i32
  ^dead(%y: i32):
    cf.br ^dead(%y : i32)
  }
  func.func @endless() {
    cf.br ^self
  ^self:
    cf.br ^self
  }
}
// ===== expected
builtin.module {
  func.func private @use(i32)
  func.func private @index(index)
  func.func private @effect()
  func.func @constant_branch(%x: i32) -> i32 {
    func.return %x : i32
  }
  func.func @pass_through(%c: i1, %x: i32, %y: i32) -> i32 {
    %0 = arith.select %c, %x, %y : i32
    func.call @use(%0) : (i32) -> ()
    func.return %0 : i32
  }
  func.func @chain(%x: i32) -> i32 {
    %v = arith.muli %x, %x : i32
    %t = arith.addi %v, %x : i32
    func.return %t : i32
  }
  func.func @dead_cycle(%c: i1, %x: i32) {
    cf.br ^head
  ^head:  // 2 preds: ^bb0, ^head
    func.call @effect() : () -> ()
    cf.cond_br %c, ^head, ^exit
  ^exit:  // pred: ^head
    func.return
  }
  func.func @known_if(%x: i32) -> i32 {
    %a = arith.addi %x, %x : i32
    func.return %a : i32
  }
  func.func @loops(%x: i32, %n: index) -> (i32, i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @index(%c0) : (index) -> ()
    %t = arith.addi %x, %x : i32
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%d = %t) -> (i32) {
      func.call @use(%x) : (i32) -> ()
      %t_0 = arith.addi %d, %x : i32
      scf.yield %t_0 : i32
    }
    func.return %x, %t, %0 : i32, i32, i32
  }
  func.func @not_reached(%x: i32) -> i32 {
    func.return %x : i32
  }
  func.func @endless() {
    cf.br ^self
  ^self:  // 2 preds: ^bb0, ^self
    cf.br ^self
  }
}
