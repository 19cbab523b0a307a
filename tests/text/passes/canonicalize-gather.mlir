// pass: builtin.module(canonicalize)
// A gather at all indices in order is the array itself, but not where it takes more or fewer elements.
func.func @all(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %n = array.dim %xs, 0 : [n]i32
  %is = array.iota %n : [n]index
  %r = array.gather %xs[%is] : [n]i32, [n]index
  func.return %r : !array.array<[n]i32>
}
func.func @some(%xs: !array.array<[?]i32>, %k: index) -> !array.array<[?]i32> {
  %is = array.iota %k : [?]index
  %r = array.gather %xs[%is] : [?]i32, [?]index
  func.return %r : !array.array<[?]i32>
}
// ===== expected
builtin.module {
  func.func @all(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
    func.return %xs : !array.array<[n]i32>
  }
  func.func @some(%xs: !array.array<[?]i32>, %k: index) -> !array.array<[?]i32> {
    %is = array.iota %k : [?]index
    %r = array.gather %xs[%is] : [?]i32, [?]index
    func.return %r : !array.array<[?]i32>
  }
}
