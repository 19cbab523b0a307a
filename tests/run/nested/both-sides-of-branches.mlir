// run
// Branches in a map on conditions of the row, with reductions, scans and branches of their own in their sides: in the flat
// version both sides are made for all rows. One that may stop the program stays with the rows that come to it.
// inputs: [[1, 2, 3], [-4, 5, -6], [7, -8, 0]]; [1, 9, -1]
// inputs: random:NxM; random:N where N = 0 1 3 40; M = 0 1 2 33 257
// inputs: random:2x2500; random:2
// numpy: s = np.sum(xss, axis=1, dtype=np.int32)
// numpy: top = np.array([r.max() if len(r) else -1000 for r in xss], dtype=np.int32)
// numpy: rows = [np.cumsum(r, dtype=np.int32) if t > 0 else (r[::-1] * 2 if k % 2 else np.full(len(r), t)) for r, t, k in zip(xss, s, ks)]
// numpy: rows = np.array(rows, dtype=np.int32).reshape(xss.shape)
// numpy: sums = np.sum(rows, axis=1, dtype=np.int32)
// numpy: best = np.array([t if k > 0 else k for t, k in zip(top, ks)], dtype=np.int32)
// numpy: other = np.array([r if k > 0 else r + t for r, t, k in zip(xss, top, ks)], dtype=np.int32).reshape(xss.shape)
// numpy: picked = np.array([r[k] + t if 0 <= k < len(r) else t for r, t, k in zip(xss, top, ks)], dtype=np.int32)
// numpy: (rows, sums, best, other, picked)
// versions: kernel.segmap 11, kernel.segred 4, kernel.segscan 2
// structure: kernel.segmap 2, kernel.segred 2, kernel.segscan 0
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> (!array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %low = arith.constant -1000 : i32
  %m = array.dim %xss, 1 : [n][m]i32
  %rows, %sums, %best, %other, %picked = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %s = array.reduce (%xs : [m]i32) init (%zero : i32) combine arith.addi
    %positive = arith.cmpi sgt, %s, %zero : i32
    %row = scf.if %positive -> (!array.array<[m]i32>) {
      %prefixes = array.scan (%xs : [m]i32) init (%zero : i32) combine arith.addi
      scf.yield %prefixes : !array.array<[m]i32>
    } else {
      %bit = arith.remui %k, %two : i32
      %odd = arith.cmpi ne, %bit, %zero : i32
      %inner = scf.if %odd -> (!array.array<[m]i32>) {
        %back = array.reverse %xs, 0 : [m]i32
        %twice = array.map (%x in %back : [m]i32) {
          %y = arith.muli %x, %two : i32
          array.yield %y : i32
        }
        scf.yield %twice : !array.array<[m]i32>
      } else {
        %same = array.replicate %s, [%m] : i32 -> [m]i32
        scf.yield %same : !array.array<[m]i32>
      }
      scf.yield %inner : !array.array<[m]i32>
    }
    %sum = array.reduce (%row : [m]i32) init (%zero : i32) combine arith.addi
    %chosen = arith.cmpi sgt, %k, %zero : i32
    %top = array.reduce (%xs : [m]i32) init (%low : i32) combine arith.maxsi
    %b, %o = scf.if %chosen -> (i32, !array.array<[m]i32>) {
      %largest = array.reduce (%xs : [m]i32) init (%low : i32) combine arith.maxsi
      scf.yield %largest, %xs : i32, !array.array<[m]i32>
    } else {
      %more = array.map (%x in %xs : [m]i32) {
        %y = arith.addi %x, %top : i32
        array.yield %y : i32
      }
      scf.yield %k, %more : i32, !array.array<[m]i32>
    }
    %at = arith.index_cast %k : i32 to index
    %above = arith.cmpi sge, %at, %c0 : index
    %below = arith.cmpi slt, %at, %m : index
    %inside = arith.andi %above, %below : i1
    %p = scf.if %inside -> (i32) {
      %x = array.index %xs[%at] : [m]i32
      %largest = array.reduce (%xs : [m]i32) init (%low : i32) combine arith.maxsi
      %y = arith.addi %x, %largest : i32
      scf.yield %y : i32
    } else {
      scf.yield %top : i32
    }
    array.yield %row, %sum, %b, %o, %p : [m]i32, i32, i32, [m]i32, i32
  }
  func.return %rows, %sums, %best, %other, %picked : !array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>, !array.array<[n]i32>
}
