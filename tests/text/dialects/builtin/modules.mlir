// round-trip
// Nested modules with names and attributes; the cast between types that passes resolve.
builtin.module @outer attributes {segra.version = 1 : i64} {
  builtin.module @inner {
    func.func @f(%a: i32) -> i64 {
      %0 = builtin.unrealized_conversion_cast %a : i32 to i64
      func.return %0 : i64
    }
  }
  builtin.module {
  }
}
