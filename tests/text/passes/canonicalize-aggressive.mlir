// pass: builtin.module(canonicalize{region-simplify=aggressive})
// upstream: --canonicalize=region-simplify=aggressive
// Blocks that differ only in values they use become one; arguments that always get the same value go.
module {
  func.func private @use(i32)
  func.func private @index(index)
  func.func private @effect()
  func.func @equal(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    func.call @use(%x) : (i32) -> ()
    cf.br ^exit
  ^b:
    func.call @use(%y) : (i32) -> ()
    cf.br ^exit
  ^exit:
    func.call @effect() : () -> ()
    return %x : i32
  }
  func.func @redundant(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    func.call @effect() : () -> ()
    cf.br ^exit(%x, %x : i32, i32)
  ^b:
    func.call @use(%y) : (i32) -> ()
    cf.br ^exit(%y, %x : i32, i32)
  ^exit(%u: i32, %v: i32):
    %s = arith.addi %u, %v : i32
    return %s : i32
  }
}
// ===== expected
builtin.module {
  func.func private @use(i32)
  func.func private @index(index)
  func.func private @effect()
  func.func @equal(%c: i1, %x: i32, %y: i32) -> i32 {
    %0 = arith.select %c, %x, %y : i32
    func.call @use(%0) : (i32) -> ()
    func.call @effect() : () -> ()
    func.return %x : i32
  }
  func.func @redundant(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:  // pred: ^bb0
    func.call @effect() : () -> ()
    cf.br ^exit(%x : i32)
  ^b:  // pred: ^bb0
    func.call @use(%y) : (i32) -> ()
    cf.br ^exit(%y : i32)
  ^exit(%u: i32):  // 2 preds: ^a, ^b
    %s = arith.addi %u, %x : i32
    func.return %s : i32
  }
}
