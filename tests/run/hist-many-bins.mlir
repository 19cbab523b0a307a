// run
// Bins beyond what fits shared memory in a few ranges, some of them met often: products by
// compare-and-swap, pairs under a lock per bin.
// inputs: random:N; random:N where N = 0 1 31 33 1025
// structure: kernel.seghist 2, kernel.segmap 3
// versions: kernel.seghist 2, kernel.segmap 3
func.func @main(%ks: !array.array<[n]i32>, %xs: !array.array<[n]f64>) -> (!array.array<[17000]i64>, !array.array<[17000]f64>, !array.array<[17000]i64>) {
  %n = array.dim %xs, 0 : [n]f64
  %bins = arith.constant 17000 : index
  %some = arith.constant 97 : i32
  %apart = arith.constant 175 : index
  %low = arith.constant -1.0e300 : f64
  %one = arith.constant 1 : i64
  %far = arith.index_cast %n : index to i64
  %lows = array.replicate %low, [%bins] : f64 -> [17000]f64
  %ones = array.replicate %one, [%bins] : i64 -> [17000]i64
  %fars = array.replicate %far, [%bins] : i64 -> [17000]i64
  %js = array.iota %n : [n]i64
  %is = array.map (%k in %ks : [n]i32) {
    %r = arith.remui %k, %some : i32
    %at = arith.index_castui %r : i32 to index
    %bin = arith.muli %at, %apart : index
    array.yield %bin : index
  }
  %products = array.hist (%i in %is : [n]index, %j in %js : [n]i64) into (%ones : [17000]i64) neutral (%one : i64) map {
    array.yield %i, %j : index, i64
  } combine (%a, %b) {
    %s = arith.muli %a, %b : i64
    array.yield %s : i64
  }
  %largest, %first = array.hist (%i in %is : [n]index, %x in %xs : [n]f64, %j in %js : [n]i64) into (%lows : [17000]f64, %fars : [17000]i64) neutral (%low : f64, %far : i64) map {
    array.yield %i, %x, %j : index, f64, i64
  } combine (%a, %i, %b, %j) {
    %more = arith.cmpf ogt, %a, %b : f64
    %same = arith.cmpf oeq, %a, %b : f64
    %before = arith.cmpi slt, %i, %j : i64
    %tie = arith.andi %same, %before : i1
    %left = arith.ori %more, %tie : i1
    %c = arith.select %left, %a, %b : f64
    %k = arith.select %left, %i, %j : i64
    array.yield %c, %k : f64, i64
  }
  func.return %products, %largest, %first : !array.array<[17000]i64>, !array.array<[17000]f64>, !array.array<[17000]i64>
}
