// run
// Perfect nests of maps around scalar code, a reduction, a scan, a scatter and a histogram: one segmented op each.
// inputs: random:NxM; random:NxM; random:NxM; random:NxM; random:NxM where N = 0 1 5; M = 0 1 33 1025
// structure: kernel.scatter 1, kernel.seghist 1, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 1, kernel.segmap 9, kernel.segred 2, kernel.segscan 2
func.func @main(%a: !array.array<[n][m]i32>, %b: !array.array<[n][m]i32>, %c: !array.array<[n][m]i32>, %d: !array.array<[n][m]i32>, %e: !array.array<[n][m]i32>) -> (!array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = array.dim %d, 1 : [n][m]i32
  %is = array.iota %m : [m]index
  %last = arith.constant 1 : index
  %r1 = array.map (%xs in %a : [n][m]i32) {
    %ys = array.map (%x in %xs : [m]i32) {
      %y = arith.addi %x, %one : i32
      array.yield %y : i32
    }
    array.yield %ys : [m]i32
  }
  %r2 = array.map (%xs in %b : [n][m]i32) {
    %s = array.reduce (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i32
      array.yield %t : i32
    }
    array.yield %s : i32
  }
  %r3 = array.map (%xs in %c : [n][m]i32) {
    %s = array.scan (%xs : [m]i32) init (%zero : i32) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i32
      array.yield %t : i32
    }
    array.yield %s : [m]i32
  }
  %r4 = array.map (%xs in %d : [n][m]i32) {
    %s = array.scatter (%x in %xs : [m]i32, %i in %is : [m]index) into (%xs : [m]i32) {
      %n = arith.addi %i, %last : index
      array.yield %n, %x : index, i32
    }
    array.yield %s : [m]i32
  }
  %r5 = array.map (%xs in %e : [n][m]i32) {
    %s = array.hist (%x in %xs : [m]i32) into (%xs : [m]i32) neutral (%zero : i32) map {
      %i = arith.index_cast %x : i32 to index
      array.yield %i, %one : index, i32
    } combine (%p, %q) {
      %t = arith.addi %p, %q : i32
      array.yield %t : i32
    }
    array.yield %s : [m]i32
  }
  func.return %r1, %r2, %r3, %r4, %r5 : !array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>, !array.array<[n][m]i32>
}
