// run
// Elements of type bf16 in a nest: a reduction, a scan and a histogram of every row, in one map.
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 1, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.seghist 2, kernel.segmap 4, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]bf16>) -> (!array.array<[n]bf16>, !array.array<[n][m]bf16>, !array.array<[n][3]bf16>) {
  %unit = arith.constant 0x7F80 : bf16
  %three = arith.constant 3 : index
  %m = array.dim %xss, 1 : [n][m]bf16
  %is = array.iota %m : [m]index
  %bins = array.replicate %unit, [%three] : bf16 -> [3]bf16
  %r, %s, %h = array.map (%xs in %xss : [n][m]bf16) {
    %all = array.reduce (%xs : [m]bf16) init (%unit : bf16) combine (%acc, %x) {
      %t = arith.minimumf %acc, %x : bf16
      array.yield %t : bf16
    }
    %some = array.scan exclusive (%xs : [m]bf16) init (%unit : bf16) combine (%acc, %x) {
      %t = arith.minimumf %acc, %x : bf16
      array.yield %t : bf16
    }
    %of = array.hist (%x in %xs : [m]bf16, %i in %is : [m]index) into (%bins : [3]bf16) neutral (%unit : bf16) map {
      %bin = arith.remui %i, %three : index
      array.yield %bin, %x : index, bf16
    } combine (%a, %b) {
      %t = arith.minimumf %a, %b : bf16
      array.yield %t : bf16
    }
    array.yield %all, %some, %of : bf16, [m]bf16, [3]bf16
  }
  func.return %r, %s, %h : !array.array<[n]bf16>, !array.array<[n][m]bf16>, !array.array<[n][3]bf16>
}
