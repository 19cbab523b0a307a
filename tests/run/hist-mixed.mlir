// run
// One histogram of seven values, each combined in its own way: a count and a maximum by atomics, a product by
// compare-and-swap, a sum of floats and numbers of 8 bits under locks, and a pair (the largest key, the last place where it
// is not later than any) that is one value under locks. In few bins, and in more than fit shared memory.
// inputs: random:N; random:N where N = 0 1 31 32 33 1023 1025
// structure: kernel.seghist 2, kernel.segmap 12
// versions: kernel.seghist 2, kernel.segmap 12
func.func @main(%ks: !array.array<[n]i32>, %xs: !array.array<[n]f32>) -> (!array.array<[7]i32>, !array.array<[7]f32>, !array.array<[7]i64>, !array.array<[7]f32>, !array.array<[7]i8>, !array.array<[7]i32>, !array.array<[7]i32>, !array.array<[40000]i32>, !array.array<[40000]f32>, !array.array<[40000]i64>, !array.array<[40000]f32>, !array.array<[40000]i8>, !array.array<[40000]i32>, !array.array<[40000]i32>) {
  %n = array.dim %ks, 0 : [n]i32
  %is = array.iota %n : [n]i32
  %bins = arith.constant 7 : index
  %many = arith.constant 40000 : index
  %near = arith.constant 1 : index
  %far = arith.constant 5713 : index
  %few = arith.constant 7 : i32
  %unit = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %low = arith.constant -1.0e30 : f32
  %none = arith.constant 0.0 : f32
  %small = arith.constant 0 : i8
  %least = arith.constant -1 : i32
  %fz0 = array.replicate %zero, [%bins] : i32 -> [7]i32
  %fz1 = array.replicate %low, [%bins] : f32 -> [7]f32
  %fz2 = array.replicate %one, [%bins] : i64 -> [7]i64
  %fz3 = array.replicate %none, [%bins] : f32 -> [7]f32
  %fz4 = array.replicate %small, [%bins] : i8 -> [7]i8
  %fz5 = array.replicate %least, [%bins] : i32 -> [7]i32
  %gz0 = array.replicate %zero, [%many] : i32 -> [40000]i32
  %gz1 = array.replicate %low, [%many] : f32 -> [40000]f32
  %gz2 = array.replicate %one, [%many] : i64 -> [40000]i64
  %gz3 = array.replicate %none, [%many] : f32 -> [40000]f32
  %gz4 = array.replicate %small, [%many] : i8 -> [40000]i8
  %gz5 = array.replicate %least, [%many] : i32 -> [40000]i32
  %f0, %f1, %f2, %f3, %f4, %f5, %f6 = array.hist (%k in %ks : [n]i32, %x in %xs : [n]f32, %i in %is : [n]i32) into (%fz0 : [7]i32, %fz1 : [7]f32, %fz2 : [7]i64, %fz3 : [7]f32, %fz4 : [7]i8, %fz5 : [7]i32, %fz0 : [7]i32) neutral (%zero : i32, %low : f32, %one : i64, %none : f32, %small : i8, %least : i32, %zero : i32) map {
    %r = arith.remui %k, %few : i32
    %at = arith.index_castui %r : i32 to index
    %bin = arith.muli %at, %near : index
    %wide = arith.extui %r : i32 to i64
    %odd = arith.ori %wide, %one : i64
    %byte = arith.trunci %k : i32 to i8
    array.yield %bin, %unit, %x, %odd, %x, %byte, %k, %i : index, i32, f32, i64, f32, i8, i32, i32
  } combine (%c, %m, %p, %s, %y, %v, %a, %d, %n1, %q, %t, %z, %w, %b) {
    %count = arith.addi %c, %d : i32
    %most = arith.maximumf %m, %n1 : f32
    %product = arith.muli %p, %q : i64
    %sum = arith.addf %s, %t : f32
    %bytes = arith.addi %y, %z : i8
    %more = arith.cmpi sgt, %v, %w : i32
    %same = arith.cmpi eq, %v, %w : i32
    %before = arith.cmpi slt, %a, %b : i32
    %tie = arith.andi %same, %before : i1
    %left = arith.ori %more, %tie : i1
    %value = arith.select %left, %v, %w : i32
    %place = arith.select %left, %a, %b : i32
    array.yield %count, %most, %product, %sum, %bytes, %value, %place : i32, f32, i64, f32, i8, i32, i32
  }
  %g0, %g1, %g2, %g3, %g4, %g5, %g6 = array.hist (%k in %ks : [n]i32, %x in %xs : [n]f32, %i in %is : [n]i32) into (%gz0 : [40000]i32, %gz1 : [40000]f32, %gz2 : [40000]i64, %gz3 : [40000]f32, %gz4 : [40000]i8, %gz5 : [40000]i32, %gz0 : [40000]i32) neutral (%zero : i32, %low : f32, %one : i64, %none : f32, %small : i8, %least : i32, %zero : i32) map {
    %r = arith.remui %k, %few : i32
    %at = arith.index_castui %r : i32 to index
    %bin = arith.muli %at, %far : index
    %wide = arith.extui %r : i32 to i64
    %odd = arith.ori %wide, %one : i64
    %byte = arith.trunci %k : i32 to i8
    array.yield %bin, %unit, %x, %odd, %x, %byte, %k, %i : index, i32, f32, i64, f32, i8, i32, i32
  } combine (%c, %m, %p, %s, %y, %v, %a, %d, %n1, %q, %t, %z, %w, %b) {
    %count = arith.addi %c, %d : i32
    %most = arith.maximumf %m, %n1 : f32
    %product = arith.muli %p, %q : i64
    %sum = arith.addf %s, %t : f32
    %bytes = arith.addi %y, %z : i8
    %more = arith.cmpi sgt, %v, %w : i32
    %same = arith.cmpi eq, %v, %w : i32
    %before = arith.cmpi slt, %a, %b : i32
    %tie = arith.andi %same, %before : i1
    %left = arith.ori %more, %tie : i1
    %value = arith.select %left, %v, %w : i32
    %place = arith.select %left, %a, %b : i32
    array.yield %count, %most, %product, %sum, %bytes, %value, %place : i32, f32, i64, f32, i8, i32, i32
  }
  func.return %f0, %f1, %f2, %f3, %f4, %f5, %f6, %g0, %g1, %g2, %g3, %g4, %g5, %g6 : !array.array<[7]i32>, !array.array<[7]f32>, !array.array<[7]i64>, !array.array<[7]f32>, !array.array<[7]i8>, !array.array<[7]i32>, !array.array<[7]i32>, !array.array<[40000]i32>, !array.array<[40000]f32>, !array.array<[40000]i64>, !array.array<[40000]f32>, !array.array<[40000]i8>, !array.array<[40000]i32>, !array.array<[40000]i32>
}
