// run
// A loop whose bounds are compared as unsigned numbers, with a reduction inside: the nest moves into it. From 2^63 - 1 to
// 2^63 + k - 1 it takes k steps, none if the bounds were signed: rows of m elements gain k times, each time all elements
// become the row's sum, so that (1, 2, 3) is (6, 6, 6) after one step and (18, 18, 18) after two.
// inputs: [[1, 2, 3], [4, 5, 6]]; 1
// outputs: [[6, 6, 6], [15, 15, 15]]
// inputs: [[1, 2, 3], [4, 5, 6]]; 2
// outputs: [[18, 18, 18], [45, 45, 45]]
// inputs: random:NxM; K where N = 0 1 5; M = 1 33; K = 0 3
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 5, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>, %k: index) -> !array.array<[n][m]i32> {
  %low = arith.constant 9223372036854775807 : index
  %high = arith.addi %low, %k : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %yss = array.map (%xs in %xss : [n][m]i32) {
    %ys = scf.for unsigned %i = %low to %high step %c1 iter_args(%ys = %xs) -> (!array.array<[m]i32>) {
      %sum = array.reduce (%ys : [m]i32) init (%zero : i32) combine arith.addi
      %zs = array.map (%y in %ys : [m]i32) {
        array.yield %sum : i32
      }
      scf.yield %zs : !array.array<[m]i32>
    }
    array.yield %ys : [m]i32
  }
  func.return %yss : !array.array<[n][m]i32>
}
