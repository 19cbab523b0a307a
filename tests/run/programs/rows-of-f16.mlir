// run
// Elements of type f16 in a nest: a reduction, a scan and a histogram of every row, in one map.
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 1, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 2, kernel.segmap 4, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]f16>) -> (!array.array<[n]f16>, !array.array<[n][m]f16>, !array.array<[n][3]f16>) {
  %unit = arith.constant 0xFC00 : f16
  %three = arith.constant 3 : index
  %m = array.dim %xss, 1 : [n][m]f16
  %is = array.iota %m : [m]index
  %bins = array.replicate %unit, [%three] : f16 -> [3]f16
  %r, %s, %h = array.map (%xs in %xss : [n][m]f16) {
    %all = array.reduce (%xs : [m]f16) init (%unit : f16) combine (%acc, %x) {
      %t = arith.maximumf %acc, %x : f16
      array.yield %t : f16
    }
    %some = array.scan exclusive (%xs : [m]f16) init (%unit : f16) combine (%acc, %x) {
      %t = arith.maximumf %acc, %x : f16
      array.yield %t : f16
    }
    %of = array.hist (%x in %xs : [m]f16, %i in %is : [m]index) into (%bins : [3]f16) neutral (%unit : f16) map {
      %bin = arith.remui %i, %three : index
      array.yield %bin, %x : index, f16
    } combine (%a, %b) {
      %t = arith.maximumf %a, %b : f16
      array.yield %t : f16
    }
    array.yield %all, %some, %of : f16, [m]f16, [3]f16
  }
  func.return %r, %s, %h : !array.array<[n]f16>, !array.array<[n][m]f16>, !array.array<[n][3]f16>
}
