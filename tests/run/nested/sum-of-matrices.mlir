// run
// A reduction of matrices: its operator is a map of maps, so it becomes one reduction per element.
// inputs: [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]
// outputs: [[15, 18], [21, 24]]
// inputs: random:Nx2xM where N = 0 1 31 32 33 1023 1025; M = 0 1 5
// structure: kernel.segmap 0, kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xsss: !array.array<[n][2][m]i64>) -> !array.array<[2][m]i64> {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : index
  %m = array.dim %xsss, 2 : [n][2][m]i64
  %zeros = array.replicate %zero, [%two, %m] : i64 -> [2][m]i64
  %sum = array.reduce (%xsss : [n][2][m]i64) init (%zeros : [2][m]i64) combine (%acc, %xss) {
    %s = array.map (%as in %acc : [2][m]i64, %xs in %xss : [2][m]i64) {
      %t = array.map (%a in %as : [m]i64, %x in %xs : [m]i64) {
        %u = arith.addi %a, %x : i64
        array.yield %u : i64
      }
      array.yield %t : [m]i64
    }
    array.yield %s : [2][m]i64
  }
  func.return %sum : !array.array<[2][m]i64>
}
