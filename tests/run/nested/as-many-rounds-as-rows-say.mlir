// run
// Counted loops in a map whose bounds are of the row, with a scan and a reduction of it in them: in the flat version there are as
// many rounds as the row with the most says. Rows with none, by numbers of 64 and of 32 bits, and by steps of 3.
// inputs: [[5, 1, 2], [0, 0, 0], [-3, 4, 100]]; [2, 0, 3]
// inputs: random:NxM; [5, -1, 0, 1] where N = 4; M = 0 1 2 33 257
// inputs: random:NxM; random:N where N = 0 1; M = 0 1 40
// inputs: random:2x2500; [4, 1]
// numpy: def rounds(xs, k):
// numpy:     ys, s = xs.copy(), np.int32(0)
// numpy:     for i in range(int(k)):
// numpy:         ys = (np.cumsum(ys, dtype=np.int32) % np.int32(7) + np.int32(i)).astype(np.int32)
// numpy:         s = np.sum(ys, dtype=np.int32)
// numpy:     zs = xs.copy()
// numpy:     for i in range(-2, int(k), 3):
// numpy:         zs = (zs[::-1] + np.int32(i)).astype(np.int32)
// numpy:     return ys, s, zs
// numpy: all = [rounds(xs, k) for xs, k in zip(xss, ks)]
// numpy: rows = np.array([a[0] for a in all], dtype=np.int32).reshape(xss.shape)
// numpy: turned = np.array([a[2] for a in all], dtype=np.int32).reshape(xss.shape)
// numpy: (rows, np.array([a[1] for a in all], dtype=np.int32), turned)
// versions: kernel.segmap 13, kernel.segred 4, kernel.segscan 2
// structure: kernel.segmap 1, kernel.segred 0, kernel.segscan 0
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> (!array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>) {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %three = arith.constant 3 : i32
  %below = arith.constant -2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows, %sums, %turned = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %end = arith.index_cast %k : i32 to index
    %ys, %s = scf.for %i = %c0 to %end step %c1 iter_args(%ys = %xs, %s = %zero) -> (!array.array<[m]i32>, i32) {
      %at = arith.index_cast %i : index to i32
      %ps = array.scan (%ys : [m]i32) init (%zero : i32) combine arith.addi
      %next = array.map (%p in %ps : [m]i32) {
        %r = arith.remsi %p, %seven : i32
        %neg = arith.cmpi slt, %r, %zero : i32
        %up = arith.addi %r, %seven : i32
        %f = arith.select %neg, %up, %r : i32
        %q = arith.addi %f, %at : i32
        array.yield %q : i32
      }
      %sum = array.reduce (%next : [m]i32) init (%zero : i32) combine arith.addi
      scf.yield %next, %sum : !array.array<[m]i32>, i32
    }
    %zs = scf.for %i = %below to %k step %three iter_args(%zs = %xs) -> (!array.array<[m]i32>) : i32 {
      %back = array.reverse %zs, 0 : [m]i32
      %next = array.map (%p in %back : [m]i32) {
        %q = arith.addi %p, %i : i32
        array.yield %q : i32
      }
      scf.yield %next : !array.array<[m]i32>
    }
    array.yield %ys, %s, %zs : [m]i32, i32, [m]i32
  }
  func.return %rows, %sums, %turned : !array.array<[n][m]i32>, !array.array<[n]i32>, !array.array<[n][m]i32>
}
