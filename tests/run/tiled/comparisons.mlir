// run
// Whether all of i16 are less than f64, by `and` from true: a reduction that starts from something else than zeros.
// inputs: random:NxK; random:MxK where N = 3 33; M = 5 17; K = 1 18
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xss: !array.array<[n][k]i16>, %yss: !array.array<[m][k]f64>) -> !array.array<[n][m]i1> {
  %true = arith.constant true
  %zss = array.map (%xs in %xss : [n][k]i16) {
    %zs = array.map (%ys in %yss : [m][k]f64) {
      %z = array.redomap (%x in %xs : [k]i16, %y in %ys : [k]f64) init (%true : i1) map {
        %f = arith.sitofp %x : i16 to f64
        %less = arith.cmpf olt, %f, %y : f64
        array.yield %less : i1
      } combine (%a, %b) {
        %s = arith.andi %a, %b : i1
        array.yield %s : i1
      }
      array.yield %z : i1
    }
    array.yield %zs : !array.array<[m]i1>
  }
  func.return %zss : !array.array<[n][m]i1>
}
