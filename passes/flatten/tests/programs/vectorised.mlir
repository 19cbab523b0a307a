// Reductions whose operator is a map: of columns at top level, per point in a nest, and one that is no map.
func.func @main(%xsss: !array.array<[a][n][m]i32>) -> (!array.array<[a][m]i32>, !array.array<[m]i32>, !array.array<[m]i32>) {
  %zero = arith.constant 0 : i32
  %zz = arith.constant 0 : index
  %m = array.dim %xsss, 2 : [a][n][m]i32
  %init = array.replicate %zero, [%m] : i32 -> [m]i32
  %cols = array.map (%xss in %xsss : [a][n][m]i32) {
    %sum = array.reduce (%xss : [n][m]i32) init (%init : [m]i32) combine (%acc, %xs) {
      %s = array.map (%p in %acc : [m]i32, %q in %xs : [m]i32) {
        %t = arith.addi %p, %q : i32
        array.yield %t : i32
      }
      array.yield %s : !array.array<[m]i32>
    }
    array.yield %sum : !array.array<[m]i32>
  }
  %top = array.reduce (%cols : [a][m]i32) init (%init : [m]i32) combine (%acc, %xs) {
    %s = array.map (%p in %acc : [m]i32, %q in %xs : [m]i32) {
      %t = arith.maxsi %p, %q : i32
      array.yield %t : i32
    }
    array.yield %s : !array.array<[m]i32>
  }
  %other = array.reduce (%cols : [a][m]i32) init (%init : [m]i32) neutral (%init : [m]i32) combine (%acc, %xs) {
    %s = array.map (%p in %acc : [m]i32, %q in %xs : [m]i32) {
      %t = arith.addi %p, %q : i32
      array.yield %t : i32
    }
    %u = array.scan (%s : [m]i32) init (%zero : i32) combine (%i, %p) {
      %t = arith.minsi %p, %i : i32
      array.yield %t : i32
    }
    array.yield %u : !array.array<[m]i32>
  }
  func.return %cols, %top, %other : !array.array<[a][m]i32>, !array.array<[m]i32>, !array.array<[m]i32>
}
