// pass: builtin.module(algebra)
// A linear sum splits: the factor leaves it, the offset becomes a product with the extent. The sum of the other array is
// the same for all elements and leaves the map. A matrix is summed as it lies, not transposed; two maps that differ in
// names only are one.
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>, %xss: !array.array<[n][m]i32>, %a: i32, %b: i32) -> (i32, !array.array<[n]i32>, i32, !array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %linear = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {
    %ax = arith.muli %a, %x : i32
    %axb = arith.addi %ax, %b : i32
    array.yield %axb : i32
  } combine (%s, %t) {
    %u = arith.addi %s, %t : i32
    array.yield %u : i32
  }
  %shifted = array.map (%x in %xs : [n]i32) {
    %sum = array.reduce (%ys : [m]i32) init (%zero : i32) combine (%acc, %y) {
      %s = arith.addi %acc, %y : i32
      array.yield %s : i32
    }
    %z = arith.subi %x, %sum : i32
    array.yield %z : i32
  }
  %turned = array.rearrange %xss, [1, 0] : [n][m]i32
  %sums = array.map (%column in %turned : [m][n]i32) {
    %s = array.reduce (%column : [n]i32) init (%zero : i32) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i32
      array.yield %t : i32
    }
    array.yield %s : i32
  }
  %total = array.reduce (%sums : [m]i32) init (%zero : i32) combine (%acc, %x) {
    %t = arith.addi %acc, %x : i32
    array.yield %t : i32
  }
  %p = array.map (%x in %xs : [n]i32) {
    %y = arith.muli %x, %a : i32
    array.yield %y : i32
  }
  %q = array.map (%v in %xs : [n]i32) {
    %w = arith.muli %v, %a : i32
    array.yield %w : i32
  }
  func.return %linear, %shifted, %total, %p, %q : i32, !array.array<[n]i32>, i32, !array.array<[n]i32>, !array.array<[n]i32>
}
// ===== expected
builtin.module {
  func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>, %xss: !array.array<[n][m]i32>, %a: i32, %b: i32) -> (i32, !array.array<[n]i32>, i32, !array.array<[n]i32>, !array.array<[n]i32>) {
    %0 = array.dim %xs, 0 : [n]i32
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.muli %1, %b : i32
    %zero = arith.constant 0 : i32
    %3 = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%arg0, %arg1) {
      %u = arith.addi %arg0, %arg1 : i32
      array.yield %u : i32
    }
    %4 = arith.muli %a, %3 : i32
    %linear = arith.addi %2, %4 : i32
    %sum = array.reduce (%ys : [m]i32) init (%zero : i32) combine (%arg0, %arg1) {
      %u = arith.addi %arg0, %arg1 : i32
      array.yield %u : i32
    }
    %shifted = array.map (%arg0 in %xs : [n]i32) {
      %z = arith.subi %arg0, %sum : i32
      array.yield %z : i32
    }
    %5 = array.map (%arg0 in %xss : [n][m]i32) {
      %6 = array.reduce (%arg0 : [m]i32) init (%zero : i32) combine (%arg1, %arg2) {
        %u = arith.addi %arg1, %arg2 : i32
        array.yield %u : i32
      }
      array.yield %6 : i32
    }
    %total = array.reduce (%5 : [n]i32) init (%zero : i32) combine (%arg0, %arg1) {
      %u = arith.addi %arg0, %arg1 : i32
      array.yield %u : i32
    }
    %p = array.map (%arg0 in %xs : [n]i32) {
      %y = arith.muli %arg0, %a : i32
      array.yield %y : i32
    }
    func.return %linear, %shifted, %total, %p, %p : i32, !array.array<[n]i32>, i32, !array.array<[n]i32>, !array.array<[n]i32>
  }
}
