// run
// Elements of type f64 in a nest: a reduction, a scan and a histogram of every row, in one map.
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 1, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 2, kernel.segmap 4, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]f64>) -> (!array.array<[n]f64>, !array.array<[n][m]f64>, !array.array<[n][3]f64>) {
  %unit = arith.constant 0.0 : f64
  %three = arith.constant 3 : index
  %m = array.dim %xss, 1 : [n][m]f64
  %is = array.iota %m : [m]index
  %bins = array.replicate %unit, [%three] : f64 -> [3]f64
  %r, %s, %h = array.map (%xs in %xss : [n][m]f64) {
    %all = array.reduce (%xs : [m]f64) init (%unit : f64) combine (%acc, %x) {
      %t = arith.addf %acc, %x : f64
      array.yield %t : f64
    }
    %some = array.scan exclusive (%xs : [m]f64) init (%unit : f64) combine (%acc, %x) {
      %t = arith.addf %acc, %x : f64
      array.yield %t : f64
    }
    %of = array.hist (%x in %xs : [m]f64, %i in %is : [m]index) into (%bins : [3]f64) neutral (%unit : f64) map {
      %bin = arith.remui %i, %three : index
      array.yield %bin, %x : index, f64
    } combine (%a, %b) {
      %t = arith.addf %a, %b : f64
      array.yield %t : f64
    }
    array.yield %all, %some, %of : f64, [m]f64, [3]f64
  }
  func.return %r, %s, %h : !array.array<[n]f64>, !array.array<[n][m]f64>, !array.array<[n][3]f64>
}
