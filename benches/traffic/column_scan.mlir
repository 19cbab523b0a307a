// Prefix sums of the columns of a matrix, each a row of the result: columns are turned in the access.
func.func @main(%a: !array.array<[n][m]f32>) -> !array.array<[m][n]f32> {
  %zero = arith.constant 0.0 : f32
  %columns = array.rearrange %a, [1, 0] : [n][m]f32
  %r = array.map (%column in %columns : [m][n]f32) {
    %sums = array.scan (%column : [n]f32) init (%zero : f32) combine arith.addf
    array.yield %sums : [n]f32
  }
  func.return %r : !array.array<[m][n]f32>
}
