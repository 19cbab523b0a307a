// run
// Two destinations of two element types at once, reversed and shifted out of range at one end.
// inputs: random:N; random:N where N = 0 1 31 32 33 1023 1025 100000
// structure: none 0
// versions: none 0
func.func @main(%xs: !array.array<[n]f64>, %ys: !array.array<[n]i8>) -> (!array.array<[n]f64>, !array.array<[n]i8>) {
  %n = array.dim %xs, 0 : [n]f64
  %two = arith.constant 2 : index
  %last = arith.subi %n, %two : index
  %is = array.iota %n : [n]index
  %a, %b = array.scatter (%i in %is : [n]index, %x in %xs : [n]f64, %y in %ys : [n]i8) into (%xs : [n]f64, %ys : [n]i8) {
    %at = arith.subi %last, %i : index
    array.yield %at, %x, %y : index, f64, i8
  }
  func.return %a, %b : !array.array<[n]f64>, !array.array<[n]i8>
}
