// pass: builtin.module(canonicalize)
// Empty dictionaries of attributes are not written, and make no parentheses around a result.
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{}], function_type = (i32) -> i32, res_attrs = [{}], sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()
  "func.func"() <{function_type = (i32) -> i32, res_attrs = [{segra.b}], sym_name = "g", sym_visibility = "private"}> ({}) : () -> ()
  "func.func"() <{function_type = () -> (() -> ()), res_attrs = [{}], sym_name = "h", sym_visibility = "private"}> ({}) : () -> ()
}) : () -> ()
// ===== expected
builtin.module {
  func.func private @f(i32) -> i32
  func.func private @g(i32) -> (i32 {segra.b})
  func.func private @h() -> (() -> ())
}
