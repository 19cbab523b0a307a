// run
// A sparse matrix times a vector: rows padded to one length, padding marked by columns below zero.
// inputs: [[2.0, 3.0], [5.0, 0.0]]; [[0, 2], [1, -1]]; [10.0, 20.0, 30.0]
// outputs: [110.0, 100.0]
// inputs: random:NxK; random:NxK; random:7 where N = 0 1 33 1025; K = 0 1 5
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%values: !array.array<[n][k]f64>, %columns: !array.array<[n][k]i32>, %x: !array.array<[m]f64>) -> !array.array<[n]f64> {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : index
  %m = array.dim %x, 0 : [m]f64
  %y = array.map (%vs in %values : [n][k]f64, %cs in %columns : [n][k]i32) {
    %dot = array.redomap (%v in %vs : [k]f64, %c in %cs : [k]i32) init (%zero : f64) map {
      %at = arith.index_cast %c : i32 to index
      %there = arith.cmpi ult, %at, %m : index
      %p = scf.if %there -> (f64) {
        %e = array.index %x[%at] : [m]f64
        %q = arith.mulf %v, %e : f64
        scf.yield %q : f64
      } else {
        scf.yield %zero : f64
      }
      array.yield %p : f64
    } combine (%a, %b) {
      %s = arith.addf %a, %b : f64
      array.yield %s : f64
    }
    array.yield %dot : f64
  }
  func.return %y : !array.array<[n]f64>
}
