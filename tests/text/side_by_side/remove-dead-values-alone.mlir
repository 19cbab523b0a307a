// side-by-side: builtin.module(remove-dead-values)
// upstream: --remove-dead-values
// The work of the pass without another one behind it.
func.func private @callee(%x: i32, %y: i32) -> (i32, i32) {
  %s = arith.muli %x, %x : i32
  %t = arith.muli %y, %y : i32
  return %s, %t : i32, i32
}
func.func @main(%x: i32, %y: i32) -> i32 {
  %a:2 = call @callee(%x, %y) : (i32, i32) -> (i32, i32)
  return %a#0 : i32
}
