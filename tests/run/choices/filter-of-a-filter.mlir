// run
// The kept elements of kept elements: one filter; sums and counts of it are reductions under a mask, without an array.
// inputs: [5, -1, 8, 0, 12, 7, -3]; 7
// inputs: random:N; 50 where N = 0 1 2 33 257 1025
// inputs: random:N; 1000 where N = 1 40
// inputs: random:N; -1000 where N = 1 40
// numpy: a = xs[xs > 0]
// numpy: b = a[a < limit]
// numpy: d = xs[xs < 0]
// numpy: (b, len(b), np.sum(xs > limit), np.sum(d * 2, dtype=np.int32))
// structure: kernel.segmap 0, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 0, kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>, %limit: i32) -> (!array.array<[l]i32>, index, index, i32) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %a = array.filter (%x in %xs : [n]i32) -> [k] {
    %keep = arith.cmpi sgt, %x, %zero : i32
    array.yield %keep : i1
  }
  %b = array.filter (%x in %a : [k]i32) -> [l] {
    %keep = arith.cmpi slt, %x, %limit : i32
    array.yield %keep : i1
  }
  %number = array.dim %b, 0 : [l]i32
  %c = array.filter (%x in %xs : [n]i32) -> [m] {
    %keep = arith.cmpi sgt, %x, %limit : i32
    array.yield %keep : i1
  }
  %count = array.dim %c, 0 : [m]i32
  %d = array.filter (%x in %xs : [n]i32) -> [o] {
    %keep = arith.cmpi slt, %x, %zero : i32
    array.yield %keep : i1
  }
  %doubled = array.map (%x in %d : [o]i32) {
    %y = arith.muli %x, %two : i32
    array.yield %y : i32
  }
  %twice = array.reduce (%doubled : [o]i32) init (%zero : i32) combine arith.addi
  func.return %b, %number, %count, %twice : !array.array<[l]i32>, index, index, i32
}
