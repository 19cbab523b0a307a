// Every layout op, on the host and inside nests, with extents that differ between points too.
func.func @main(%xs: !array.array<[n]i32>, %xss: !array.array<[n][m]i32>, %c: index) -> (!array.array<[m][n]i32>, !array.array<[?]i32>, !array.array<[n][?]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n][3]i32>, !array.array<[?][?]i32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %back = arith.constant -1 : index
  %n = array.dim %xss, 0 : [n][m]i32
  %m = array.dim %xss, 1 : [n][m]i32
  %literal = arith.constant dense<[4, -5, 6]> : tensor<3xi32>
  %three = array.from_tensor %literal : tensor<3xi32>
  %flipped = array.reshape %xss, [%m, %n] : [n][m]i32 -> [m][n]i32
  %twice = array.map (%row in %flipped : [m][n]i32) {
    %r = array.reverse %row, 0 : [n]i32
    array.yield %r : !array.array<[n]i32>
  }
  %joined = array.concat %xs, %three, %xs : [n]i32, [3]i32, [n]i32 -> [?]i32
  %padded = array.map (%row in %xss : [n][m]i32, %x in %xs : [n]i32) {
    %p = array.pad %row, %x low [%c1] high [%c] : [m]i32 -> [?]i32
    array.yield %p : !array.array<[?]i32>
  }
  %is = array.iota %n : [n]index
  %order = array.reverse %is, 0 : [n]index
  %g = array.gather %xs[%order] : [n]i32, [n]index
  %updated = array.map (%row in %xss : [n][m]i32, %i in %is : [n]index, %x in %g : [n]i32) {
    %at = arith.remsi %i, %m : index
    %u = array.update %x, %row[%at] : i32, [m]i32
    array.yield %u : !array.array<[m]i32>
  }
  %sums = array.map (%i in %is : [n]index) {
    %few = arith.addi %i, %c1 : index
    %last = arith.subi %few, %c1 : index
    %part = array.slice %xs[%last] sizes [%few] strides [%back] : [n]i32 -> [?]i32
    %two = array.concat %part, %three : [?]i32, [3]i32 -> [?]i32
    %s = array.reduce (%two : [?]i32) init (%zero : i32) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i32
      array.yield %t : i32
    }
    array.yield %s : i32
  }
  %tables = array.map (%x in %xs : [n]i32) {
    %q = array.map (%y in %three : [3]i32) {
      %z = arith.muli %x, %y : i32
      array.yield %z : i32
    }
    array.yield %q : !array.array<[3]i32>
  }
  %frame = array.pad %xss, %zero low [%c0, %c1] high [%c1, %c1] : [n][m]i32 -> [?][?]i32
  func.return %twice, %joined, %padded, %sums, %updated, %tables, %frame : !array.array<[m][n]i32>, !array.array<[?]i32>, !array.array<[n][?]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n][3]i32>, !array.array<[?][?]i32>
}
