// run
// A histogram of several values per row, each combined in its own way; inside thread blocks, too.
// inputs: random:NxM where N = 0 1 7; M = 0 1 33 300
// structure: kernel.seghist 1, kernel.segmap 3
// versions: kernel.seghist 2, kernel.segmap 8
func.func @main(%kss: !array.array<[n][m]i32>) -> (!array.array<[n][5]i32>, !array.array<[n][5]f32>, !array.array<[n][5]i64>) {
  %five = arith.constant 5 : i32
  %bins = arith.constant 5 : index
  %unit = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1 : i64
  %counts = array.replicate %zero, [%bins] : i32 -> [5]i32
  %sums = array.replicate %none, [%bins] : f32 -> [5]f32
  %products = array.replicate %one, [%bins] : i64 -> [5]i64
  %a, %b, %c = array.map (%row in %kss : [n][m]i32) {
    %x, %y, %z = array.hist (%k in %row : [m]i32) into (%counts : [5]i32, %sums : [5]f32, %products : [5]i64) neutral (%zero : i32, %none : f32, %one : i64) map {
      %r = arith.remui %k, %five : i32
      %at = arith.index_castui %r : i32 to index
      %f = arith.uitofp %r : i32 to f32
      %wide = arith.extui %k : i32 to i64
      %odd = arith.ori %wide, %one : i64
      array.yield %at, %unit, %f, %odd : index, i32, f32, i64
    } combine (%c, %s, %p, %d, %t, %q) {
      %count = arith.addi %c, %d : i32
      %sum = arith.addf %s, %t : f32
      %product = arith.muli %p, %q : i64
      array.yield %count, %sum, %product : i32, f32, i64
    }
    array.yield %x, %y, %z : !array.array<[5]i32>, !array.array<[5]f32>, !array.array<[5]i64>
  }
  func.return %a, %b, %c : !array.array<[n][5]i32>, !array.array<[n][5]f32>, !array.array<[n][5]i64>
}
