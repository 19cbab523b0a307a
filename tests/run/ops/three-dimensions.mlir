// run
// Views of arrays of three dimensions, whole and one row at a time; a sum and a scan along each dimension.
// inputs: random:NxMxK where N = 0 1 3 7; M = 0 1 5; K = 0 1 4 33
// numpy: n, m, k = xs.shape
// numpy: scans = [np.add.accumulate(xs, axis=axis) for axis in range(3)]
// numpy: (xs.transpose(2, 0, 1), xs[:, ::-1, :], xs.transpose(1, 2, 0)[:, ::-1], xs.reshape(n * m, k), xs.sum(axis=0), xs.sum(axis=1), xs.sum(axis=2),
// numpy:     scans[0], scans[1], scans[2], xs[::2, ::3, ::-1][: n // 2, : m // 3])
// structure: kernel.segmap 8, kernel.segred 1, kernel.segscan 3
// versions: kernel.segmap 13, kernel.segred 6, kernel.segscan 6
func.func @main(%xs: !array.array<[n][m][k]f64>) -> (!array.array<[k][n][m]f64>, !array.array<[n][m][k]f64>, !array.array<[m][k][n]f64>, !array.array<[?][k]f64>, !array.array<[m][k]f64>, !array.array<[n][k]f64>, !array.array<[n][m]f64>, !array.array<[n][m][k]f64>, !array.array<[n][m][k]f64>, !array.array<[n][m][k]f64>, !array.array<[?][?][k]f64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %back = arith.constant -1 : index
  %n = array.dim %xs, 0 : [n][m][k]f64
  %m = array.dim %xs, 1 : [n][m][k]f64
  %k = array.dim %xs, 2 : [n][m][k]f64
  %turned = array.rearrange %xs, [2, 0, 1] : [n][m][k]f64
  %middle = array.reverse %xs, 1 : [n][m][k]f64
  %rolled = array.rearrange %xs, [1, 2, 0] : [n][m][k]f64
  %both = array.reverse %rolled, 1 : [m][k][n]f64
  %count = arith.muli %n, %m : index
  %flat = array.reshape %xs, [%count, %k] : [n][m][k]f64 -> [?][k]f64
  %zeros = array.replicate %zero, [%m, %k] : f64 -> [m][k]f64
  %outer = array.reduce (%xs : [n][m][k]f64) init (%zeros : [m][k]f64) combine (%acc, %a) {
    %s = array.map (%p in %acc : [m][k]f64, %q in %a : [m][k]f64) {
      %t = array.map (%x in %p : [k]f64, %y in %q : [k]f64) arith.addf
      array.yield %t : !array.array<[k]f64>
    }
    array.yield %s : !array.array<[m][k]f64>
  }
  %outer_scan = array.scan (%xs : [n][m][k]f64) init (%zeros : [m][k]f64) combine (%acc, %a) {
    %s = array.map (%p in %acc : [m][k]f64, %q in %a : [m][k]f64) {
      %t = array.map (%x in %p : [k]f64, %y in %q : [k]f64) arith.addf
      array.yield %t : !array.array<[k]f64>
    }
    array.yield %s : !array.array<[m][k]f64>
  }
  %row_zeros = array.replicate %zero, [%k] : f64 -> [k]f64
  %between, %between_scan = array.map (%a in %xs : [n][m][k]f64) {
    %s = array.reduce (%a : [m][k]f64) init (%row_zeros : [k]f64) combine (%acc, %p) {
      %t = array.map (%x in %acc : [k]f64, %y in %p : [k]f64) arith.addf
      array.yield %t : !array.array<[k]f64>
    }
    %c = array.scan (%a : [m][k]f64) init (%row_zeros : [k]f64) combine (%acc, %p) {
      %t = array.map (%x in %acc : [k]f64, %y in %p : [k]f64) arith.addf
      array.yield %t : !array.array<[k]f64>
    }
    array.yield %s, %c : !array.array<[k]f64>, !array.array<[m][k]f64>
  }
  %inner, %inner_scan = array.map (%a in %xs : [n][m][k]f64) {
    %s, %c = array.map (%p in %a : [m][k]f64) {
      %r = array.reduce (%p : [k]f64) init (%zero : f64) combine arith.addf
      %d = array.scan (%p : [k]f64) init (%zero : f64) combine arith.addf
      array.yield %r, %d : f64, !array.array<[k]f64>
    }
    array.yield %s, %c : !array.array<[m]f64>, !array.array<[m][k]f64>
  }
  %half = arith.divui %n, %c2 : index
  %third = arith.divui %m, %c3 : index
  %last = arith.subi %k, %c1 : index
  %end = arith.maxsi %last, %c0 : index
  %cut = array.slice %xs[%c0, %c0, %end] sizes [%half, %third, %k] strides [%c2, %c3, %back] : [n][m][k]f64 -> [?][?][k]f64
  func.return %turned, %middle, %both, %flat, %outer, %between, %inner, %outer_scan, %between_scan, %inner_scan, %cut : !array.array<[k][n][m]f64>, !array.array<[n][m][k]f64>, !array.array<[m][k][n]f64>, !array.array<[?][k]f64>, !array.array<[m][k]f64>, !array.array<[n][k]f64>, !array.array<[n][m]f64>, !array.array<[n][m][k]f64>, !array.array<[n][m][k]f64>, !array.array<[n][m][k]f64>, !array.array<[?][?][k]f64>
}
