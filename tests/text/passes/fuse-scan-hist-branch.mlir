// pass: builtin.module(fuse)
// A map and the scan that reads it are a scanomap; a histogram reads the map, too, which is cheap enough to compute again.
// An array that one branch uses is made there. A slice of a map's result is a map of a slice.
func.func @main(%xs: !array.array<[n]i32>, %bins: !array.array<[m]i32>, %c: i1, %half: index) -> (!array.array<[n]i32>, !array.array<[m]i32>, i32, !array.array<[?]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %quotients = array.map (%x in %xs : [n]i32) {
    %y = arith.divsi %x, %one : i32
    array.yield %y : i32
  }
  %sums = array.scan (%quotients : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  %counts = array.hist (%x in %quotients : [n]i32) into (%bins : [m]i32) neutral (%zero : i32) map {
    %bin = arith.index_cast %x : i32 to index
    array.yield %bin, %one : index, i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    array.yield %s : i32
  }
  %doubled = array.map (%x in %xs : [n]i32) {
    %y = arith.addi %x, %x : i32
    array.yield %y : i32
  }
  %r = scf.if %c -> (i32) {
    %sum = array.reduce (%doubled : [n]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    scf.yield %sum : i32
  } else {
    scf.yield %zero : i32
  }
  %tripled = array.map (%x in %xs : [n]i32) {
    %y = arith.addi %x, %x : i32
    %z = arith.addi %y, %x : i32
    array.yield %z : i32
  }
  %even = array.slice %tripled[%c0] sizes [%half] strides [%c2] : [n]i32 -> [?]i32
  %negated = array.map (%x in %even : [?]i32) {
    %y = arith.subi %zero, %x : i32
    array.yield %y : i32
  }
  func.return %sums, %counts, %r, %negated : !array.array<[n]i32>, !array.array<[m]i32>, i32, !array.array<[?]i32>
}
// ===== expected
builtin.module {
  func.func @main(%xs: !array.array<[n]i32>, %bins: !array.array<[m]i32>, %c: i1, %half: index) -> (!array.array<[n]i32>, !array.array<[m]i32>, i32, !array.array<[?]i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %sums = array.scanomap (%arg0 in %xs : [n]i32) init (%zero : i32) map {
      %y = arith.divsi %arg0, %one : i32
      array.yield %y : i32
    } combine (%arg0, %arg1) {
      %s = arith.addi %arg0, %arg1 : i32
      array.yield %s : i32
    }
    %counts = array.hist (%arg0 in %xs : [n]i32) into (%bins : [m]i32) neutral (%zero : i32) map {
      %y = arith.divsi %arg0, %one : i32
      %bin = arith.index_cast %y : i32 to index
      array.yield %bin, %one : index, i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      array.yield %s : i32
    }
    %r = scf.if %c -> (i32) {
      %sum = array.redomap (%arg0 in %xs : [n]i32) init (%zero : i32) map {
        %y = arith.addi %arg0, %arg0 : i32
        array.yield %y : i32
      } combine (%arg0, %arg1) {
        %s = arith.addi %arg0, %arg1 : i32
        array.yield %s : i32
      }
      scf.yield %sum : i32
    } else {
      scf.yield %zero : i32
    }
    %0 = array.slice %xs[%c0] sizes [%half] strides [%c2] : [n]i32 -> [?]i32
    %negated = array.map (%arg0 in %0 : [?]i32) {
      %y = arith.addi %arg0, %arg0 : i32
      %z = arith.addi %y, %arg0 : i32
      %y_0 = arith.subi %zero, %z : i32
      array.yield %y_0 : i32
    }
    func.return %sums, %counts, %r, %negated : !array.array<[n]i32>, !array.array<[m]i32>, i32, !array.array<[?]i32>
  }
}
