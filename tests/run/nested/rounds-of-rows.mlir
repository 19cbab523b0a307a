// run
// Loops in a map that rows leave after different numbers of rounds, with maps, scans and reductions in them: in the flat version
// the loop is on the host until the last row has left it. Rows that have left it stay as they were.
// inputs: [[5, 1, 2], [0, 0, 0], [-3, 4, 100]]; 9
// inputs: random:NxM; 9 where N = 0 1 3 40; M = 0 1 2 33 257
// inputs: random:2x2500; 12
// numpy: def rounds(xs, most):
// numpy:     k, ys = 0, xs.copy()
// numpy:     while np.sum(np.abs(ys), dtype=np.int32) > 10 and k < most:
// numpy:         ys, k = (np.cumsum(ys, dtype=np.int32) if k % 2 else ys // 2).astype(np.int32), k + 1
// numpy:     return ys, k
// numpy: both = [rounds(xs, most) for xs in xss]
// numpy: rows = np.array([ys for ys, k in both], dtype=np.int32).reshape(xss.shape)
// numpy: (rows, np.array([k for ys, k in both], dtype=np.int32), np.sum(rows, axis=1, dtype=np.int32))
// versions: kernel.segmap 9, kernel.segred 5, kernel.segscan 2
// structure: kernel.segmap 2, kernel.segred 1, kernel.segscan 0
func.func @main(%xss: !array.array<[n][m]i32>, %most: i32) -> (!array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %rows, %ks, %sums = array.map (%xs in %xss : [n][m]i32) {
    %ys, %k = scf.while (%ys = %xs, %k = %zero) : (!array.array<[m]i32>, i32) -> (!array.array<[m]i32>, i32) {
      %far = array.redomap (%y in %ys : [m]i32) init (%zero : i32) map {
        %a = math.absi %y : i32
        array.yield %a : i32
      } combine arith.addi
      %large = arith.cmpi sgt, %far, %ten : i32
      %less = arith.cmpi slt, %k, %most : i32
      %go = arith.andi %large, %less : i1
      scf.condition(%go) %ys, %k : !array.array<[m]i32>, i32
    } do {
    ^bb0(%ys: !array.array<[m]i32>, %k: i32):
      %bit = arith.andi %k, %one : i32
      %odd = arith.cmpi eq, %bit, %one : i32
      %zs = scf.if %odd -> (!array.array<[m]i32>) {
        %ps = array.scan (%ys : [m]i32) init (%zero : i32) combine arith.addi
        scf.yield %ps : !array.array<[m]i32>
      } else {
        %hs = array.map (%y in %ys : [m]i32) {
          %h = arith.shrsi %y, %one : i32
          array.yield %h : i32
        }
        scf.yield %hs : !array.array<[m]i32>
      }
      %next = arith.addi %k, %one : i32
      scf.yield %zs, %next : !array.array<[m]i32>, i32
    }
    %sum = array.reduce (%ys : [m]i32) init (%zero : i32) combine arith.addi
    array.yield %ys, %k, %sum : [m]i32, i32, i32
  }
  func.return %rows, %ks, %sums : !array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}
