// run
// Sums of floats and places of the largest, under locks in shared memory, in bins that have 32 places each, fewer, or one.
// inputs: random:N; random:N; random:M where N = 0 1 33 1025 3000; M = 1 16 17 100 257 600
// structure: kernel.seghist 2, kernel.segmap 2
// versions: kernel.seghist 2, kernel.segmap 2
// shapes: 6
func.func @main(%xs: !array.array<[n]f32>, %ks: !array.array<[n]i32>, %start: !array.array<[m]f32>) -> (!array.array<[m]f32>, !array.array<[m]f32>, !array.array<[m]i32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %far = arith.constant 2147483647 : i32
  %n = array.dim %xs, 0 : [n]f32
  %m = array.dim %start, 0 : [m]f32
  %bins = arith.index_cast %m : index to i32
  %is = array.iota %n : [n]i32
  %lows = array.replicate %low, [%m] : f32 -> [m]f32
  %fars = array.replicate %far, [%m] : i32 -> [m]i32
  %sums = array.hist (%x in %xs : [n]f32, %k in %ks : [n]i32) into (%start : [m]f32) neutral (%zero : f32) map {
    %bin = arith.remui %k, %bins : i32
    %at = arith.index_castui %bin : i32 to index
    array.yield %at, %x : index, f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    array.yield %s : f32
  }
  %v, %p = array.hist (%x in %xs : [n]f32, %k in %ks : [n]i32, %i in %is : [n]i32) into (%lows : [m]f32, %fars : [m]i32) neutral (%low : f32, %far : i32) map {
    %bin = arith.remui %k, %bins : i32
    %at = arith.index_castui %bin : i32 to index
    array.yield %at, %x, %i : index, f32, i32
  } combine (%a, %i, %b, %j) {
    %more = arith.cmpf ogt, %a, %b : f32
    %same = arith.cmpf oeq, %a, %b : f32
    %before = arith.cmpi slt, %i, %j : i32
    %tie = arith.andi %same, %before : i1
    %left = arith.ori %more, %tie : i1
    %c = arith.select %left, %a, %b : f32
    %k = arith.select %left, %i, %j : i32
    array.yield %c, %k : f32, i32
  }
  func.return %sums, %v, %p : !array.array<[m]f32>, !array.array<[m]f32>, !array.array<[m]i32>
}
