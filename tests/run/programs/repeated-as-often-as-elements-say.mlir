// run
// Sizes that elements give are known in the nests and versions of the maps inside, whose rows have them.
// inputs: [[1, 2, 3], [4, 5, 6]]; [1, 2, 0, 3]
// inputs: [[7]]; [5]
// inputs: [[2, -1, 3]]; []
// inputs: [[1, 2], [3, 4]]; [1, -1]
// error: @array.replicate@ ... a size cannot be -1
// numpy: np.array([[np.power(xss[:, j].astype(np.int32), np.int32(c), dtype=np.int32).max(initial=-2**31) for j in range(xss.shape[1])] for c in xs], np.int32).reshape(len(xs), xss.shape[1])
// structure: kernel.segmap 3
// versions: kernel.segmap 5, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>, %xs: !array.array<[k]index>) -> !array.array<[k][m]i32> {
  %one = arith.constant 1 : i32
  %least = arith.constant -2147483648 : i32
  %powers = array.map (%x in %xs : [k]index) {
    %copies = array.replicate %xss, [%x] : [n][m]i32 -> [?][n][m]i32
    %turned = array.rearrange %copies, [2, 1, 0] : [?][n][m]i32
    %maxima = array.map (%rows in %turned : [m][n][?]i32) {
      %products = array.map (%row in %rows : [n][?]i32) {
        %product = array.reduce (%row : [?]i32) init (%one : i32) combine (%a, %b) {
          %c = arith.muli %a, %b : i32
          array.yield %c : i32
        }
        array.yield %product : i32
      }
      %max = array.reduce (%products : [n]i32) init (%least : i32) combine (%a, %b) {
        %c = arith.maxsi %a, %b : i32
        array.yield %c : i32
      }
      array.yield %max : i32
    }
    array.yield %maxima : [m]i32
  }
  func.return %powers : !array.array<[k][m]i32>
}
