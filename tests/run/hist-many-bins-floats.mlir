// run
// Bins beyond what fits shared memory in a few ranges, some of them met often: sums of floats by atomics, maxima by
// compare-and-swap.
// inputs: random:N; random:N where N = 0 1 31 33 1025
// structure: kernel.seghist 1, kernel.segmap 2
// versions: kernel.seghist 1, kernel.segmap 2
func.func @main(%ks: !array.array<[n]i32>, %xs: !array.array<[n]f64>) -> (!array.array<[17000]f64>, !array.array<[17000]f64>) {
  %n = array.dim %xs, 0 : [n]f64
  %bins = arith.constant 17000 : index
  %some = arith.constant 97 : i32
  %apart = arith.constant 175 : index
  %zero = arith.constant 0.0 : f64
  %low = arith.constant -1.0e300 : f64
  %zeros = array.replicate %zero, [%bins] : f64 -> [17000]f64
  %lows = array.replicate %low, [%bins] : f64 -> [17000]f64
  %is = array.map (%k in %ks : [n]i32) {
    %r = arith.remui %k, %some : i32
    %at = arith.index_castui %r : i32 to index
    %bin = arith.muli %at, %apart : index
    array.yield %bin : index
  }
  %sums = array.hist (%i in %is : [n]index, %x in %xs : [n]f64) into (%zeros : [17000]f64) neutral (%zero : f64) map {
    array.yield %i, %x : index, f64
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f64
    array.yield %s : f64
  }
  %most = array.hist (%i in %is : [n]index, %x in %xs : [n]f64) into (%lows : [17000]f64) neutral (%low : f64) map {
    array.yield %i, %x : index, f64
  } combine (%a, %b) {
    %s = arith.maximumf %a, %b : f64
    array.yield %s : f64
  }
  func.return %sums, %most : !array.array<[17000]f64>, !array.array<[17000]f64>
}
