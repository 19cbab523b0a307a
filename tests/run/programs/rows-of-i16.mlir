// run
// Elements of type i16 in a nest: a reduction, a scan and a histogram of every row, in one map.
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 1, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 2, kernel.segmap 4, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i16>) -> (!array.array<[n]i16>, !array.array<[n][m]i16>, !array.array<[n][3]i16>) {
  %unit = arith.constant 1 : i16
  %three = arith.constant 3 : index
  %m = array.dim %xss, 1 : [n][m]i16
  %is = array.iota %m : [m]index
  %bins = array.replicate %unit, [%three] : i16 -> [3]i16
  %r, %s, %h = array.map (%xs in %xss : [n][m]i16) {
    %all = array.reduce (%xs : [m]i16) init (%unit : i16) combine (%acc, %x) {
      %t = arith.muli %acc, %x : i16
      array.yield %t : i16
    }
    %some = array.scan exclusive (%xs : [m]i16) init (%unit : i16) combine (%acc, %x) {
      %t = arith.muli %acc, %x : i16
      array.yield %t : i16
    }
    %of = array.hist (%x in %xs : [m]i16, %i in %is : [m]index) into (%bins : [3]i16) neutral (%unit : i16) map {
      %bin = arith.remui %i, %three : index
      array.yield %bin, %x : index, i16
    } combine (%a, %b) {
      %t = arith.muli %a, %b : i16
      array.yield %t : i16
    }
    array.yield %all, %some, %of : i16, [m]i16, [3]i16
  }
  func.return %r, %s, %h : !array.array<[n]i16>, !array.array<[n][m]i16>, !array.array<[n][3]i16>
}
