// run
// A scan of rows, then one of columns.
// inputs: random:KxNxM where K = 0 1 2; N = 0 1 33; M = 1 5 64
// numpy: np.cumsum(np.transpose(np.cumsum(a, axis=2, dtype=np.int32), (0, 2, 1)), axis=2, dtype=np.int32)
// structure: kernel.segscan 2
// versions: kernel.segmap 6, kernel.segscan 6
func.func @main(%a: !array.array<[k][n][m]i32>) -> !array.array<[k][m][n]i32> {
  %zero = arith.constant 0 : i32
  %A = array.map (%rows in %a : [k][n][m]i32) {
    %first = array.map (%row in %rows : [n][m]i32) {
      %sums = array.scan (%row : [m]i32) init (%zero : i32) combine arith.addi
      array.yield %sums : [m]i32
    }
    %turned = array.rearrange %first, [1, 0] : [n][m]i32
    %second = array.map (%row in %turned : [m][n]i32) {
      %sums = array.scan (%row : [n]i32) init (%zero : i32) combine arith.addi
      array.yield %sums : [n]i32
    }
    array.yield %second : [m][n]i32
  }
  func.return %A : !array.array<[k][m][n]i32>
}
