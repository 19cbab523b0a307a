// run
// Every combinator on rows: with several results, exclusive, with arrays beside what is combined.
// inputs: [[1, 2, 3, 4], [50, 6, 7, 8]]
// inputs: random:NxM where N = 0 1 5 37; M = 0 1 3 32
// numpy: n, m = xs.shape
// numpy: xs = xs - np.int8(50)
// numpy: sums = np.add.accumulate(xs, axis=1, dtype=np.int8)
// numpy: before = np.concatenate([np.zeros((n, 1), np.int8), sums], axis=1)[:, :m]
// numpy: least = xs.min(axis=1, initial=127)
// numpy: first = np.array([row.argmin() if m else -1 for row in xs], np.int32)
// numpy: squares = xs * xs
// numpy: total = np.add.reduce(squares, axis=1, dtype=np.int8)
// numpy: running = np.concatenate([np.full((n, 1), -128, np.int8), np.maximum.accumulate(squares, axis=1)], axis=1)[:, :m]
// numpy: scattered = np.zeros((n, m), np.int8)
// numpy: scattered[:, : m // 2] = xs[:, ::2][:, : m // 2]
// numpy: bins = np.zeros((n, 4), np.int32)
// numpy: for row in range(n):
// numpy:     np.add.at(bins[row], (xs[row] & 7)[(xs[row] & 7) < 4], 1)
// numpy: sums, before, least, first, total, squares, running, -xs, scattered, bins
// structure: kernel.seghist 1, kernel.segmap 2, kernel.segred 1, kernel.segscan 2
// versions: kernel.seghist 2, kernel.segmap 6, kernel.segred 2, kernel.segscan 4
func.func @main(%xs: !array.array<[n][m]i8>) -> (!array.array<[n][m]i8>, !array.array<[n][m]i8>, !array.array<[n]i8>, !array.array<[n]i32>, !array.array<[n]i8>, !array.array<[n][m]i8>, !array.array<[n][m]i8>, !array.array<[n][m]i8>, !array.array<[n][m]i8>, !array.array<[n][4]i32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i8
  %fifty = arith.constant 50 : i8
  %seven = arith.constant 7 : i8
  %most = arith.constant 127 : i8
  %lowest = arith.constant -128 : i8
  %none = arith.constant -1 : i32
  %zero32 = arith.constant 0 : i32
  %one32 = arith.constant 1 : i32
  %m = array.dim %xs, 1 : [n][m]i8
  %half = arith.divui %m, %c2 : index
  %is = array.iota %m : [m]i32
  %places = array.iota %m : [m]index
  %blank = array.replicate %zero, [%m] : i8 -> [m]i8
  %empty = array.replicate %zero32, [%c4] : i32 -> [4]i32
  %sums, %before, %least, %first, %total, %squares, %running, %negated, %scattered, %bins = array.map (%given in %xs : [n][m]i8) {
    %row = array.map (%x in %given : [m]i8) {
      %y = arith.subi %x, %fifty : i8
      array.yield %y : i8
    }
    %s = array.scan (%row : [m]i8) init (%zero : i8) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i8
      array.yield %t : i8
    }
    %b = array.scan exclusive (%row : [m]i8) init (%zero : i8) combine (%acc, %x) {
      %t = arith.addi %acc, %x : i8
      array.yield %t : i8
    }
    %l, %f = array.reduce (%row : [m]i8, %is : [m]i32) init (%most : i8, %none : i32) neutral (%most : i8, %none : i32) combine (%best, %at, %x, %i) {
      %unset = arith.cmpi eq, %at, %none : i32
      %lower = arith.cmpi slt, %x, %best : i8
      %given2 = arith.cmpi ne, %i, %none : i32
      %some = arith.ori %unset, %lower : i1
      %take = arith.andi %some, %given2 : i1
      %v = arith.select %take, %x, %best : i8
      %w = arith.select %take, %i, %at : i32
      array.yield %v, %w : i8, i32
    }
    %t, %q = array.redomap (%x in %row : [m]i8) init (%zero : i8) map {
      %y = arith.muli %x, %x : i8
      array.yield %y, %y : i8, i8
    } combine (%c, %d) {
      %e = arith.addi %c, %d : i8
      array.yield %e : i8
    }
    %r, %o = array.scanomap exclusive (%x in %row : [m]i8) init (%lowest : i8) map {
      %y = arith.muli %x, %x : i8
      %z = arith.subi %zero, %x : i8
      array.yield %y, %z : i8, i8
    } combine (%c, %d) {
      %e = arith.maxsi %c, %d : i8
      array.yield %e : i8
    }
    %sc = array.scatter (%x in %row : [m]i8, %i in %places : [m]index) into (%blank : [m]i8) {
      %odd = arith.remui %i, %c2 : index
      %at = arith.divui %i, %c2 : index
      %away = arith.muli %odd, %m : index
      %inside = arith.cmpi ult, %at, %half : index
      %far = arith.select %inside, %away, %m : index
      %to = arith.addi %at, %far : index
      array.yield %to, %x : index, i8
    }
    %h = array.hist (%x in %row : [m]i8) into (%empty : [4]i32) neutral (%zero32 : i32) map {
      %low = arith.andi %x, %seven : i8
      %bin = arith.index_cast %low : i8 to index
      array.yield %bin, %one32 : index, i32
    } combine (%c, %d) {
      %e = arith.addi %c, %d : i32
      array.yield %e : i32
    }
    array.yield %s, %b, %l, %f, %t, %q, %r, %o, %sc, %h : !array.array<[m]i8>, !array.array<[m]i8>, i8, i32, i8, !array.array<[m]i8>, !array.array<[m]i8>, !array.array<[m]i8>, !array.array<[m]i8>, !array.array<[4]i32>
  }
  func.return %sums, %before, %least, %first, %total, %squares, %running, %negated, %scattered, %bins : !array.array<[n][m]i8>, !array.array<[n][m]i8>, !array.array<[n]i8>, !array.array<[n]i32>, !array.array<[n]i8>, !array.array<[n][m]i8>, !array.array<[n][m]i8>, !array.array<[n][m]i8>, !array.array<[n][m]i8>, !array.array<[n][4]i32>
}
