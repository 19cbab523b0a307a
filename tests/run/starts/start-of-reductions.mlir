// run
// Reductions that begin with 42 or a number given, which counts once: sum, product, minimum, bitwise or, in f32, too.
// With xs = 1 ... n: 42 + n(n+1)/2, k + n(n+1)/2, min(42, 1), 42 | 1 | ... | n, 0.5 + n(n+1)/2. Of nothing the start.
// inputs: []; 7
// outputs: 42; 7; 42; 42; 0.5
// inputs: [1, 2, 3, 4]; -10
// outputs: 52; 0; 1; 47; 10.5
// inputs: random:N; 5 where N = 0 1 31 33 257 4099 70001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>, %k: i32) -> (i32, i32, i32, i32, f32) {
  %c42 = arith.constant 42 : i32
  %half = arith.constant 0.5 : f32
  %sum = array.reduce (%xs : [n]i32) init (%c42 : i32) combine arith.addi
  %given = array.reduce (%xs : [n]i32) init (%k : i32) combine arith.addi
  %least = array.reduce (%xs : [n]i32) init (%c42 : i32) combine arith.minsi
  %bits = array.reduce (%xs : [n]i32) init (%c42 : i32) combine arith.ori
  %float = array.redomap (%x in %xs : [n]i32) init (%half : f32) map {
    %low = arith.remsi %x, %c42 : i32
    %f = arith.sitofp %low : i32 to f32
    array.yield %f : f32
  } combine arith.addf
  func.return %sum, %given, %least, %bits, %float : i32, i32, i32, i32, f32
}
