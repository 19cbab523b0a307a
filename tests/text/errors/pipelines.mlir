// errors: builtin.module(canonicalise)
// A pass nobody knows, with the nearest name.
module {
}
// ===== expected
`canonicalise` is neither a pass nor a pipeline
  builtin.module(canonicalise)
                 ^^^^^^^^^^^^
  did you mean `canonicalize`?
