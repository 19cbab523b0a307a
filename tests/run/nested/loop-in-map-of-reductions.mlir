// run
// A loop with the same bound at all points and a reduction inside: the nest moves into it, and js are replicated.
// inputs: [[1, 2, 3], [4, 5, 6]]; 2
// outputs: [[13, 14, 15], [28, 29, 30]]; [9, 18]
// inputs: random:NxM; K where N = 0 1 5; M = 1 33 1025; K = 0 1 3
// structure: kernel.segmap 3, kernel.segred 1
// versions: kernel.segmap 7, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>, %k: index) -> (!array.array<[n][m]i32>, !array.array<[n]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %low = arith.constant -2147483648 : i32
  %yss, %js = array.map (%xs in %xss : [n][m]i32) {
    %ys, %j = scf.for %i = %c0 to %k step %c1 iter_args(%ys = %xs, %j = %zero) -> (!array.array<[m]i32>, i32) {
      %max = array.reduce (%ys : [m]i32) init (%low : i32) combine (%acc, %y) {
        %s = arith.maxsi %acc, %y : i32
        array.yield %s : i32
      }
      %next = array.map (%y in %ys : [m]i32) {
        %a = arith.addi %y, %max : i32
        %b = arith.addi %a, %j : i32
        array.yield %b : i32
      }
      %more = arith.addi %j, %max : i32
      scf.yield %next, %more : !array.array<[m]i32>, i32
    }
    array.yield %ys, %j : [m]i32, i32
  }
  func.return %yss, %js : !array.array<[n][m]i32>, !array.array<[n]i32>
}
