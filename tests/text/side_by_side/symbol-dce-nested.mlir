// side-by-side: builtin.module(builtin.module(symbol-dce))
// upstream: --pass-pipeline=builtin.module(builtin.module(symbol-dce))
// In a table that others may name what is nested stays; what is private goes.
module {
  module @public {
    func.func nested @maybe_from_outside() {
      return
    }
    func.func private @unused() {
      return
    }
  }
  module @hidden attributes {sym_visibility = "private"} {
    func.func nested @never_from_outside() {
      return
    }
    func.func @public() {
      return
    }
  }
}
