// run
// Operators without an atomic of the hardware, on one word each, in few bins: by compare-and-swap in shared memory. A sum
// that saturates, a product modulo a prime, a greatest common divisor, numbers of 16 bits.
// inputs: random:N; random:N where N = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 2, kernel.segmap 5
// versions: kernel.seghist 2, kernel.segmap 5
func.func @main(%ks: !array.array<[n]i32>, %xs: !array.array<[n]f32>) -> (!array.array<[7]i32>, !array.array<[7]i64>, !array.array<[7]i32>, !array.array<[7]i16>, !array.array<[7]f32>, !array.array<[7]bf16>) {
  %bins = arith.constant 7 : index
  %few = arith.constant 7 : i32
  %apart = arith.constant 1 : index
  %hundred = arith.constant 100 : i32
  %limit = arith.constant 1000 : i32
  %prime = arith.constant 1000003 : i64
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %nothing = arith.constant 0 : i16
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F80 : bf16
  %zeros = array.replicate %none, [%bins] : i32 -> [7]i32
  %ones = array.replicate %one, [%bins] : i64 -> [7]i64
  %shorts = array.replicate %nothing, [%bins] : i16 -> [7]i16
  %lows = array.replicate %low, [%bins] : f32 -> [7]f32
  %highs = array.replicate %high, [%bins] : bf16 -> [7]bf16
  %is = array.map (%k in %ks : [n]i32) {
    %r = arith.remui %k, %few : i32
    %at = arith.index_castui %r : i32 to index
    %bin = arith.muli %at, %apart : index
    array.yield %bin : index
  }
  %saturated = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%zeros : [7]i32) neutral (%none : i32) map {
    %v = arith.remui %k, %hundred : i32
    array.yield %i, %v : index, i32
  } combine (%a, %b) {
    %sum = arith.addi %a, %b : i32
    %s = arith.minui %sum, %limit : i32
    array.yield %s : i32
  }
  %products = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%ones : [7]i64) neutral (%one : i64) map {
    %wide = arith.extui %k : i32 to i64
    %v = arith.remui %wide, %prime : i64
    array.yield %i, %v : index, i64
  } combine (%a, %b) {
    %product = arith.muli %a, %b : i64
    %s = arith.remui %product, %prime : i64
    array.yield %s : i64
  }
  %divisors = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%zeros : [7]i32) neutral (%none : i32) map {
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
  %counts = array.hist (%i in %is : [n]index, %k in %ks : [n]i32) into (%shorts : [7]i16) neutral (%nothing : i16) map {
    %v = arith.trunci %k : i32 to i16
    array.yield %i, %v : index, i16
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i16
    array.yield %s : i16
  }
  %most = array.hist (%i in %is : [n]index, %x in %xs : [n]f32) into (%lows : [7]f32) neutral (%low : f32) map {
    array.yield %i, %x : index, f32
  } combine (%a, %b) {
    %s = arith.maximumf %a, %b : f32
    array.yield %s : f32
  }
  %least = array.hist (%i in %is : [n]index, %x in %xs : [n]f32) into (%highs : [7]bf16) neutral (%high : bf16) map {
    %v = arith.truncf %x : f32 to bf16
    array.yield %i, %v : index, bf16
  } combine (%a, %b) {
    %s = arith.minimumf %a, %b : bf16
    array.yield %s : bf16
  }
  func.return %saturated, %products, %divisors, %counts, %most, %least : !array.array<[7]i32>, !array.array<[7]i64>, !array.array<[7]i32>, !array.array<[7]i16>, !array.array<[7]f32>, !array.array<[7]bf16>
}
