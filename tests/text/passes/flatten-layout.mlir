// pass: builtin.module(flatten)
// Layout ops are index arithmetic in the kernels that read them.
func.func @main(%xs: !array.array<[n]i32>, %c: index) -> !array.array<[?]i32> {
  %zero = arith.constant 0 : i32
  %r = array.reverse %xs, 0 : [n]i32
  %p = array.pad %r, %zero low [%c] high [%c] : [n]i32 -> [?]i32
  %b = array.concat %p, %xs : [?]i32, [n]i32 -> [?]i32
  func.return %b : !array.array<[?]i32>
}
