// run
// Filters of several arrays, of rows, and of what a filter kept; none may be left, or all.
// inputs: [3, -1, 4, -1, 5]; [1.0, 2.0, 3.0, 4.0, 5.0]; [[1], [2], [3], [4], [5]]
// outputs: [4, 5]; [3.0, 5.0]; [[3], [5]]; [5]; 2
// inputs: random:N; random:N; random:NxM where N = 0 1 2 31 257 1031; M = 0 3
// numpy: keep = xs % 4 != 3
// numpy: some = xs[keep]
// numpy: some, ys[keep], rows[keep], some[some > 4], keep.sum()
// structure: kernel.segmap 3, kernel.segscan 2
// versions: kernel.segmap 3, kernel.segscan 2
func.func @main(%xs: !array.array<[n]i16>, %ys: !array.array<[n]f64>, %rows: !array.array<[n][m]i16>) -> (!array.array<[k]i16>, !array.array<[k]f64>, !array.array<[k][m]i16>, !array.array<[j]i16>, i64) {
  %three = arith.constant 3 : i16
  %four = arith.constant 4.0 : f64
  %some, %some_ys, %some_rows = array.filter (%x in %xs : [n]i16, %y in %ys : [n]f64, %row in %rows : [n][m]i16) -> [k] {
    %low = arith.andi %x, %three : i16
    %keep = arith.cmpi ne, %low, %three : i16
    array.yield %keep : i1
  }
  %few = array.filter (%x in %some : [k]i16) -> [j] {
    %f = arith.sitofp %x : i16 to f64
    %large = arith.cmpf ogt, %f, %four : f64
    array.yield %large : i1
  }
  %k = array.dim %some, 0 : [k]i16
  %count = arith.index_cast %k : index to i64
  func.return %some, %some_ys, %some_rows, %few, %count : !array.array<[k]i16>, !array.array<[k]f64>, !array.array<[k][m]i16>, !array.array<[j]i16>, i64
}
