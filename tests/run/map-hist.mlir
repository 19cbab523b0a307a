// run
// One histogram per row, over two dimensions of bins, starting from a row of another array.
// inputs: random:NxM; random:Nx3x5 where N = 0 1 7 40; M = 0 1 33 300
// structure: kernel.seghist 1
// versions: kernel.seghist 1, kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]i32>, %start: !array.array<[n][3][5]i32>) -> !array.array<[n][3][5]i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %counts = array.map (%row in %xss : [n][m]i32, %own in %start : [n][3][5]i32) {
    %h = array.hist (%x in %row : [m]i32) into (%own : [3][5]i32) neutral (%zero : i32) map {
      %a = arith.remui %x, %three : i32
      %b = arith.remui %x, %five : i32
      %i = arith.index_castui %a : i32 to index
      %j = arith.index_castui %b : i32 to index
      array.yield %i, %j, %x : index, index, i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      array.yield %s : i32
    }
    array.yield %h : !array.array<[3][5]i32>
  }
  func.return %counts : !array.array<[n][3][5]i32>
}
