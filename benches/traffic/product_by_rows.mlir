// The product of a matrix with the transpose of another one: each thread iterates over a row of both, and neighbouring threads
// along neighbouring rows of the second.
func.func @main(%a: !array.array<[m][k]f32>, %b: !array.array<[n][k]f32>) -> !array.array<[m][n]f32> {
  %zero = arith.constant 0.0 : f32
  %c = array.map (%row in %a : [m][k]f32) {
    %sums = array.map (%column in %b : [n][k]f32) {
      %sum = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map {
        %p = arith.mulf %x, %y : f32
        array.yield %p : f32
      } combine (%s, %t) {
        %u = arith.addf %s, %t : f32
        array.yield %u : f32
      }
      array.yield %sum : f32
    }
    array.yield %sums : !array.array<[n]f32>
  }
  func.return %c : !array.array<[m][n]f32>
}
