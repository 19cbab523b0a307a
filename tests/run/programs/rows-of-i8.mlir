// run
// Elements of type i8 in a nest: a reduction, a scan and a histogram of every row, in one map.
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 1, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 2, kernel.segmap 4, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i8>) -> (!array.array<[n]i8>, !array.array<[n][m]i8>, !array.array<[n][3]i8>) {
  %unit = arith.constant 0 : i8
  %three = arith.constant 3 : index
  %m = array.dim %xss, 1 : [n][m]i8
  %is = array.iota %m : [m]index
  %bins = array.replicate %unit, [%three] : i8 -> [3]i8
  %r, %s, %h = array.map (%xs in %xss : [n][m]i8) {
    %all = array.reduce (%xs : [m]i8) init (%unit : i8) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i8
      array.yield %t : i8
    }
    %some = array.scan exclusive (%xs : [m]i8) init (%unit : i8) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i8
      array.yield %t : i8
    }
    %of = array.hist (%x in %xs : [m]i8, %i in %is : [m]index) into (%bins : [3]i8) neutral (%unit : i8) map {
      %bin = arith.remui %i, %three : index
      array.yield %bin, %x : index, i8
    } combine (%a, %b) {
      %t = arith.addi %a, %b : i8
      array.yield %t : i8
    }
    array.yield %all, %some, %of : i8, [m]i8, [3]i8
  }
  func.return %r, %s, %h : !array.array<[n]i8>, !array.array<[n][m]i8>, !array.array<[n][3]i8>
}
