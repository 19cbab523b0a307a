// Irregular extents: everything over the first i elements of a row, arrays of arrays included.
func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n][4]i32>) {
  %zero = arith.constant 0 : i32
  %c4 = arith.constant 4 : index
  %r, %rows = array.map (%x in %xs : [n]i32) {
    %mask = arith.constant 7 : i32
    %small = arith.andi %x, %mask : i32
    %k = arith.index_cast %small : i32 to index
    %is = array.iota %k : [?]i32
    %sums = array.map (%i in %is : [?]i32) {
      %j = arith.index_cast %i : i32 to index
      %js = array.iota %j : [?]i32
      %ps = array.scan (%js : [?]i32) init (%zero : i32) combine (%acc, %y) {
        %s = arith.addi %acc, %y : i32
        array.yield %s : i32
      }
      %t = array.reduce (%ps : [?]i32) init (%x : i32) combine (%acc, %y) {
        %s = arith.addi %acc, %y : i32
        array.yield %s : i32
      }
      array.yield %t : i32
    }
    %same = array.replicate %small, [%c4] : i32 -> [4]i32
    %table = array.map (%y in %sums : [?]i32) {
      %row = array.map (%z in %same : [4]i32) {
        %w = arith.addi %y, %z : i32
        array.yield %w : i32
      }
      array.yield %row : !array.array<[4]i32>
    }
    %init = array.replicate %zero, [%c4] : i32 -> [4]i32
    %columns = array.reduce (%table : [?][4]i32) init (%init : [4]i32) combine (%acc, %row) {
      %s = array.map (%a in %acc : [4]i32, %b in %row : [4]i32) {
        %c = arith.addi %a, %b : i32
        array.yield %c : i32
      }
      array.yield %s : !array.array<[4]i32>
    }
    %total = array.reduce (%sums : [?]i32) init (%zero : i32) combine (%acc, %y) {
      %s = arith.addi %acc, %y : i32
      array.yield %s : i32
    }
    array.yield %total, %columns : i32, !array.array<[4]i32>
  }
  func.return %r, %rows : !array.array<[n]i32>, !array.array<[n][4]i32>
}
