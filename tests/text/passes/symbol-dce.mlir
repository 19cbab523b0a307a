// pass: builtin.module(symbol-dce)
// upstream: --symbol-dce
// Private functions nobody reaches go; those that only unreachable ones call go with them.
module {
  func.func private @used(%x: i32) -> i32 {
    return %x : i32
  }
  func.func private @unused(%x: i32) -> i32 {
    %0 = call @only_from_unused(%x) : (i32) -> i32
    return %0 : i32
  }
  func.func private @only_from_unused(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @main(%x: i32) -> i32 {
    %0 = call @used(%x) : (i32) -> i32
    return %0 : i32
  }
}
// ===== expected
builtin.module {
  func.func private @used(%x: i32) -> i32 {
    func.return %x : i32
  }
  func.func @main(%x: i32) -> i32 {
    %0 = func.call @used(%x) : (i32) -> i32
    func.return %0 : i32
  }
}
