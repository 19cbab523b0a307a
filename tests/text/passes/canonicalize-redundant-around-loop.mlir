// pass: builtin.module(canonicalize{region-simplify=aggressive})
// An argument that gets one value from outside and itself from around the loop is that value. (Upstream keeps it.)
module {
  func.func private @use(i32)
  func.func @redundant(%c: i1, %x: i32) -> i32 {
    cf.br ^head(%x, %x : i32, i32)
  ^head(%u: i32, %v: i32):
    func.call @use(%u) : (i32) -> ()
    func.call @use(%v) : (i32) -> ()
    %w = arith.addi %v, %u : i32
    cf.cond_br %c, ^head(%u, %w : i32, i32), ^exit
  ^exit:
    return %u : i32
  }
}
// ===== expected
builtin.module {
  func.func private @use(i32)
  func.func @redundant(%c: i1, %x: i32) -> i32 {
    cf.br ^head(%x : i32)
  ^head(%v: i32):  // 2 preds: ^bb0, ^head
    func.call @use(%x) : (i32) -> ()
    func.call @use(%v) : (i32) -> ()
    %w = arith.addi %v, %x : i32
    cf.cond_br %c, ^head(%w : i32), ^exit
  ^exit:  // pred: ^head
    func.return %x : i32
  }
}
