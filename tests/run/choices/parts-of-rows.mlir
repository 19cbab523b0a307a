// run
// Kept elements of rows and slices of rows: mapped, scanned, reduced for all elements that there may be, and indexed in a branch.
// inputs: [[5, -1, 8], [0, -2, -3], [1, 2, 3]]; [2, 0, 3]
// inputs: random:NxM; random:N where N = 0 1 3 40; M = 0 1 2 33 65
// numpy: i32 = np.int32
// numpy: k = [row[row > 0] for row in xss]
// numpy: p = [np.cumsum((r * np.arange(len(r), dtype=i32)) ^ 7, dtype=i32) for r in k]
// numpy: sums = np.array([r.sum(dtype=i32) for r in p], dtype=i32)
// numpy: least = np.iinfo(i32).min
// numpy: best = np.array([max(q - r, default=least) for q, r in zip(p, k)], dtype=i32)
// numpy: lens = ks.astype(np.uint32) % (xss.shape[1] + 1)
// numpy: firsts = np.array([max(np.cumsum(r[:l], dtype=i32), default=least) for r, l in zip(xss, lens)], dtype=i32)
// numpy: (sums, best, firsts)
// structure: kernel.segmap 2, kernel.segscan 1
// versions: kernel.segmap 3, kernel.segred 2, kernel.segscan 3
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant -2147483648 : i32
  %seven = arith.constant 7 : i32
  %m = array.dim %xss, 1 : [n][m]i32
  %mi = arith.index_cast %m : index to i32
  %one = arith.constant 1 : i32
  %m1 = arith.addi %mi, %one : i32
  %sums, %best = array.map (%xs in %xss : [n][m]i32) {
    %kept = array.filter (%x in %xs : [m]i32) -> [?] {
      %keep = arith.cmpi sgt, %x, %zero : i32
      array.yield %keep : i1
    }
    %k = array.dim %kept, 0 : [?]i32
    %is = array.iota %k : [?]i32
    %weighted = array.map (%x in %kept : [?]i32, %i in %is : [?]i32) {
      %w = arith.muli %x, %i : i32
      %v = arith.xori %w, %seven : i32
      array.yield %v : i32
    }
    %prefixes = array.scan (%weighted : [?]i32) init (%zero : i32) combine arith.addi
    %sum = array.reduce (%prefixes : [?]i32) init (%zero : i32) combine arith.addi
    %max = array.redomap (%p in %prefixes : [?]i32, %x in %kept : [?]i32) init (%least : i32) map {
      %d = arith.subi %p, %x : i32
      array.yield %d : i32
    } combine arith.maxsi
    array.yield %sum, %max : i32, i32
  }
  %firsts = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %r = arith.remui %k, %m1 : i32
    %len = arith.index_castui %r : i32 to index
    %part = array.slice %xs[%c0] sizes [%len] strides [%c1] : [m]i32 -> [?]i32
    %prefixes = array.scan (%part : [?]i32) init (%zero : i32) combine arith.addi
    %max = array.reduce (%prefixes : [?]i32) init (%least : i32) combine arith.maxsi
    array.yield %max : i32
  }
  func.return %sums, %best, %firsts : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}
