// run
// Double precision throughout: the sum of squares.
// inputs: [1.0, 2.0, 3.0]
// outputs: 14.0
// inputs: random:N where N = 0 1 257 3001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]f64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %r = array.redomap (%x in %xs : [n]f64) init (%zero : f64) map {
    %s = arith.mulf %x, %x : f64
    array.yield %s : f64
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f64
    array.yield %s : f64
  }
  func.return %r : f64
}
