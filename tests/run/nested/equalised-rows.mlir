// run
// Histogram equalisation of each row of an image: a histogram, a scan of it and a gather, in one map.
// inputs: [[0, 0, 1, 3], [2, 2, 2, 2]]
// outputs: [[2, 2, 3, 4], [4, 4, 4, 4]]
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 33 1025
// structure: kernel.seghist 1, kernel.segmap 2, kernel.segscan 1
// versions: kernel.seghist 2, kernel.segmap 6, kernel.segscan 2
func.func @main(%image: !array.array<[n][m]i32>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 3 : i32
  %four = arith.constant 4 : index
  %none = array.replicate %zero, [%four] : i32 -> [4]i32
  %out = array.map (%row in %image : [n][m]i32) {
    %counts = array.hist (%x in %row : [m]i32) into (%none : [4]i32) neutral (%zero : i32) map {
      %level = arith.andi %x, %mask : i32
      %bin = arith.index_cast %level : i32 to index
      array.yield %bin, %one : index, i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      array.yield %s : i32
    }
    %below = array.scan (%counts : [4]i32) init (%zero : i32) combine (%acc, %c) {
      %s = arith.addi %acc, %c : i32
      array.yield %s : i32
    }
    %new = array.map (%x in %row : [m]i32) {
      %level = arith.andi %x, %mask : i32
      %bin = arith.index_cast %level : i32 to index
      %y = array.index %below[%bin] : [4]i32
      array.yield %y : i32
    }
    array.yield %new : [m]i32
  }
  func.return %out : !array.array<[n][m]i32>
}
