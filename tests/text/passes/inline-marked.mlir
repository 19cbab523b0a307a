// pass: builtin.module(inline)
// Functions marked `no_inline` are called still.
module {
  func.func private @marked(%x: i32) -> i32 attributes {no_inline} {
    return %x : i32
  }
  func.func @calls_marked(%x: i32) -> i32 {
    %r = func.call @marked(%x) : (i32) -> i32
    return %r : i32
  }
}
// ===== expected
builtin.module {
  func.func private @marked(%x: i32) -> i32 attributes {no_inline} {
    func.return %x : i32
  }
  func.func @calls_marked(%x: i32) -> i32 {
    %r = func.call @marked(%x) : (i32) -> i32
    func.return %r : i32
  }
}
