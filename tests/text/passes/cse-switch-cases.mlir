// pass: builtin.module(cse)
// upstream: --cse
// Cases of switches as upstream reads them: the least number of 64 bits, and flags of one bit by name.
func.func @f(%flag: i64, %bit: i1) {
  cf.switch %flag : i64, [
    default: ^bb2,
    -9223372036854775808: ^bb1,
    -1: ^bb2
  ]
^bb1:
  cf.switch %bit : i1, [
    default: ^bb2,
    true: ^bb2,
    false: ^bb2
  ]
^bb2:
  func.return
}
// ===== expected
builtin.module {
  func.func @f(%flag: i64, %bit: i1) {
    cf.switch %flag : i64, [
      default: ^bb2,
      9223372036854775808: ^bb1,
      18446744073709551615: ^bb2
    ]
  ^bb1:  // pred: ^bb0
    cf.switch %bit : i1, [
      default: ^bb2,
      1: ^bb2,
      0: ^bb2
    ]
  ^bb2:  // 5 preds: ^bb0, ^bb0, ^bb1, ^bb1, ^bb1
    func.return
  }
}
