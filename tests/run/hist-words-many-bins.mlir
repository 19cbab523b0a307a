// run
// As in hist-words.mlir, in more bins than fit shared memory in a few ranges, some of them met often: all by compare-and-swap
// in global memory.
// inputs: random:N; random:N where N = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 2, kernel.segmap 6
// versions: kernel.seghist 2, kernel.segmap 6
func.func @main(%ks: !array.array<[n]i32>, %xs: !array.array<[n]f32>) -> (!array.array<[20000]i32>, !array.array<[20000]i64>, !array.array<[20000]i32>, !array.array<[20000]i16>, !array.array<[20000]f32>, !array.array<[20000]f64>, !array.array<[20000]bf16>) {
  %bins = arith.constant 20000 : index
  %few = arith.constant 7 : i32
  %apart = arith.constant 2857 : index
  %hundred = arith.constant 100 : i32
  %limit = arith.constant 1000 : i32
  %prime = arith.constant 1000003 : i64
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %nothing = arith.constant 0 : i16
  %low = arith.constant 0xFF800000 : f32
  %whole = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %high = arith.constant 0x7F80 : bf16
  %zeros = array.replicate %none, [%bins] : i32 -> [20000]i32
  %ones = array.replicate %one, [%bins] : i64 -> [20000]i64
  %shorts = array.replicate %nothing, [%bins] : i16 -> [20000]i16
  %lows = array.replicate %low, [%bins] : f32 -> [20000]f32
  %wholes = array.replicate %whole, [%bins] : f64 -> [20000]f64
  %highs = array.replicate %high, [%bins] : bf16 -> [20000]bf16
  %is = array.map (%k in %ks : [n]i32) {
    %r = arith.remui %k, %few : i32
    %at = arith.index_castui %r : i32 to index
    %bin = arith.muli %at, %apart : index
    array.yield %bin : index
  }
  %saturated = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%zeros : [20000]i32) neutral (%none : i32) map {
    %v = arith.remui %k, %hundred : i32
    array.yield %i, %v : index, i32
  } combine (%a, %b) {
    %sum = arith.addi %a, %b : i32
    %s = arith.minui %sum, %limit : i32
    array.yield %s : i32
  }
  %products = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%ones : [20000]i64) neutral (%one : i64) map {
    %wide = arith.extui %k : i32 to i64
    %v = arith.remui %wide, %prime : i64
    array.yield %i, %v : index, i64
  } combine (%a, %b) {
    %product = arith.muli %a, %b : i64
    %s = arith.remui %product, %prime : i64
    array.yield %s : i64
  }
  %divisors = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%zeros : [20000]i32) neutral (%none : i32) map {
    %v = arith.andi %k, %limit : i32
    array.yield %i, %v : index, i32
  } combine (%a, %b) {
    %s, %rest = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
      %left = arith.cmpi ne, %y, %none : i32
      scf.condition(%left) %x, %y : i32, i32
    } do {
    ^bb0(%x: i32, %y: i32):
      %r = arith.remui %x, %y : i32
      scf.yield %y, %r : i32, i32
    }
    array.yield %s : i32
  }
  %counts = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%shorts : [20000]i16) neutral (%nothing : i16) map {
    %v = arith.trunci %k : i32 to i16
    array.yield %i, %v : index, i16
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i16
    array.yield %s : i16
  }
  %most = array.hist (%i in %is : [n]index, %x in %xs : [n]f32) into (%lows : [20000]f32) neutral (%low : f32) map {
    array.yield %i, %x : index, f32
  } combine (%a, %b) {
    %s = arith.maximumf %a, %b : f32
    array.yield %s : f32
  }
  %halves = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%wholes : [20000]f64) neutral (%whole : f64) map {
    %r = arith.remui %k, %hundred : i32
    %some = arith.cmpi eq, %r, %none : i32
    %v = arith.select %some, %half, %whole : f64
    array.yield %i, %v : index, f64
  } combine (%a, %b) {
    %s = arith.mulf %a, %b : f64
    array.yield %s : f64
  }
  %least = array.hist (%i in %is : [n]index, %x in %xs : [n]f32) into (%highs : [20000]bf16) neutral (%high : bf16) map {
    %v = arith.truncf %x : f32 to bf16
    array.yield %i, %v : index, bf16
  } combine (%a, %b) {
    %s = arith.minimumf %a, %b : bf16
    array.yield %s : bf16
  }
  func.return %saturated, %products, %divisors, %counts, %most, %halves, %least : !array.array<[20000]i32>, !array.array<[20000]i64>, !array.array<[20000]i32>, !array.array<[20000]i16>, !array.array<[20000]f32>, !array.array<[20000]f64>, !array.array<[20000]bf16>
}
