// run
// Elements of type i64 in a nest: a reduction, a scan and a histogram of every row, in one map.
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 1, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 2, kernel.segmap 4, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i64>) -> (!array.array<[n]i64>, !array.array<[n][m]i64>, !array.array<[n][3]i64>) {
  %unit = arith.constant -9223372036854775808 : i64
  %three = arith.constant 3 : index
  %m = array.dim %xss, 1 : [n][m]i64
  %is = array.iota %m : [m]index
  %bins = array.replicate %unit, [%three] : i64 -> [3]i64
  %r, %s, %h = array.map (%xs in %xss : [n][m]i64) {
    %all = array.reduce (%xs : [m]i64) init (%unit : i64) combine (%acc, %x) {
      %t = arith.maxsi %acc, %x : i64
      array.yield %t : i64
    }
    %some = array.scan exclusive (%xs : [m]i64) init (%unit : i64) combine (%acc, %x) {
      %t = arith.maxsi %acc, %x : i64
      array.yield %t : i64
    }
    %of = array.hist (%x in %xs : [m]i64, %i in %is : [m]index) into (%bins : [3]i64) neutral (%unit : i64) map {
      %bin = arith.remui %i, %three : index
      array.yield %bin, %x : index, i64
    } combine (%a, %b) {
      %t = arith.maxsi %a, %b : i64
      array.yield %t : i64
    }
    array.yield %all, %some, %of : i64, [m]i64, [3]i64
  }
  func.return %r, %s, %h : !array.array<[n]i64>, !array.array<[n][m]i64>, !array.array<[n][3]i64>
}
