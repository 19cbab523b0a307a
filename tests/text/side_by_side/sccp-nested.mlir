// side-by-side: builtin.module(builtin.module(sccp))
// upstream: --pass-pipeline=builtin.module(builtin.module(sccp))
// Of a part of a program not all calls of symbols are seen that only the module around it may name.
module {
  module @inner {
    func.func nested @nested(%x: i32) -> i32 {
      return %x : i32
    }
    func.func private @private(%x: i32) -> i32 {
      return %x : i32
    }
    func.func @calls() -> (i32, i32) {
      %c2 = arith.constant 2 : i32
      %r = func.call @nested(%c2) : (i32) -> i32
      %s = func.call @private(%c2) : (i32) -> i32
      return %r, %s : i32, i32
    }
  }
}
