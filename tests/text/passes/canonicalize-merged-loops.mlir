// pass: builtin.module(canonicalize{region-simplify=aggressive})
// upstream: --canonicalize=region-simplify=aggressive
// Equal blocks, one of which leads to itself, become one: the value they differ in is an argument, also where the branch
// hands it on behind what it hands to the block itself.
module {
  func.func private @use(i32)
  func.func private @again() -> i1
  func.func @both(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    func.call @use(%x) : (i32) -> ()
    %k = func.call @again() : () -> i1
    cf.cond_br %k, ^bb1, ^bb3(%x : i32)
  ^bb2:
    func.call @use(%y) : (i32) -> ()
    %l = func.call @again() : () -> i1
    cf.cond_br %l, ^bb1, ^bb3(%y : i32)
  ^bb3(%r: i32):
    return %r : i32
  }
}
// ===== expected
builtin.module {
  func.func private @use(i32)
  func.func private @again() -> i1
  func.func @both(%c: i1, %x: i32, %y: i32) -> i32 {
    cf.cond_br %c, ^bb1(%x : i32), ^bb1(%y : i32)
  ^bb1(%0: i32):  // 3 preds: ^bb0, ^bb0, ^bb1
    func.call @use(%0) : (i32) -> ()
    %k = func.call @again() : () -> i1
    cf.cond_br %k, ^bb1(%x : i32), ^bb2
  ^bb2:  // pred: ^bb1
    func.return %0 : i32
  }
}
