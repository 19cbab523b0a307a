// run
// Single elements near an index of the host: behind the end by rules and by a value.
// inputs: [5, 6, 7, 8]; 0; 3
// inputs: [5, 6, 7, 8]; 3; -1
// inputs: [5]; 0; 9
// numpy: i, n = int(i), len(xs)
// numpy: wrapped, clamped = xs[(i + 2) % n], xs[max(i - 1, 0)]
// numpy: wrapped, clamped, xs[i + 1] if i + 1 < n else other
// structure: none 0
// versions: none 0
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>, %i: index, %other: i32) -> (i32, i32, i32) {
  %a = array.near %xs[%i] by [2] wrap : [n]i32
  %b = array.near %xs[%i] by [-1] clamp : [n]i32
  %c = array.near %xs[%i] by [1] else %other : [n]i32
  func.return %a, %b, %c : i32, i32, i32
}
