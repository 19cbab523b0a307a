// pass: builtin.module(canonicalize)
// Blocks that only branch to one another: going past them ends. (Upstream leaves two of them.)
module {
  func.func @circle(%c: i1) {
    cf.cond_br %c, ^a, ^b
  ^a:
    cf.br ^b
  ^b:
    cf.br ^d
  ^d:
    cf.br ^a
  }
}
// ===== expected
builtin.module {
  func.func @circle(%c: i1) {
    cf.br ^a
  ^a:  // 2 preds: ^bb0, ^a
    cf.br ^a
  }
}
