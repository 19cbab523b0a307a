// run
// A reduction that stores beside its sum a row that was there before: the same for every point.
// inputs: [1, 2, 3]; [7, 8]
// outputs: 6; [[7, 8], [7, 8], [7, 8]]
// inputs: random:N; random:M where N = 0 1 33 300; M = 0 1 5
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 1, kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>) -> (i32, !array.array<[n][m]i32>) {
  %zero = arith.constant 0 : i32
  %s, %rows = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {
    array.yield %x, %ys : i32, [m]i32
  } combine arith.addi
  func.return %s, %rows : i32, !array.array<[n][m]i32>
}
