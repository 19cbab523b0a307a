// run
// The kept elements of each row: their sum and number under a mask; the last, by flags and offsets of its own.
// inputs: [[5, -1, 8], [0, -2, -3], [1, 2, 3]]
// inputs: random:NxM where N = 0 1 3 40; M = 0 1 2 33 65
// numpy: k = [row[row > 0] for row in xss]
// numpy: sums = np.array([r.sum() for r in k], dtype=np.int32)
// numpy: counts = np.array([len(r) for r in k], dtype=np.int64)
// numpy: lasts = np.array([np.cumsum(r)[-1] if len(r) else -1 for r in k], dtype=np.int32)
// numpy: products = np.array([np.sum(r[r < 50] * 3, dtype=np.int32) for r in k], dtype=np.int32)
// numpy: (sums, counts, lasts, products)
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 3, kernel.segred 1, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i32>) -> (!array.array<[n]i32>, !array.array<[n]index>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : i32
  %three = arith.constant 3 : i32
  %fifty = arith.constant 50 : i32
  %sums, %counts = array.map (%xs in %xss : [n][m]i32) {
    %kept = array.filter (%x in %xs : [m]i32) -> [?] {
      %keep = arith.cmpi sgt, %x, %zero : i32
      array.yield %keep : i1
    }
    %sum = array.reduce (%kept : [?]i32) init (%zero : i32) combine arith.addi
    %count = array.dim %kept, 0 : [?]i32
    array.yield %sum, %count : i32, index
  }
  %lasts = array.map (%xs in %xss : [n][m]i32) {
    %kept = array.filter (%x in %xs : [m]i32) -> [?] {
      %keep = arith.cmpi sgt, %x, %zero : i32
      array.yield %keep : i1
    }
    %prefixes = array.scan (%kept : [?]i32) init (%zero : i32) combine arith.addi
    %count = array.dim %kept, 0 : [?]i32
    %any = arith.cmpi sgt, %count, %c0 : index
    %last = scf.if %any -> (i32) {
      %at = arith.subi %count, %c1 : index
      %v = array.index %prefixes[%at] : [?]i32
      scf.yield %v : i32
    } else {
      scf.yield %none : i32
    }
    array.yield %last : i32
  }
  %products = array.map (%xs in %xss : [n][m]i32) {
    %kept = array.filter (%x in %xs : [m]i32) -> [?] {
      %keep = arith.cmpi sgt, %x, %zero : i32
      array.yield %keep : i1
    }
    %few = array.filter (%x in %kept : [?]i32) -> [?] {
      %keep = arith.cmpi slt, %x, %fifty : i32
      array.yield %keep : i1
    }
    %tripled = array.map (%x in %few : [?]i32) {
      %y = arith.muli %x, %three : i32
      array.yield %y : i32
    }
    %sum = array.reduce (%tripled : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %sum : i32
  }
  func.return %sums, %counts, %lasts, %products : !array.array<[n]i32>, !array.array<[n]index>, !array.array<[n]i32>, !array.array<[n]i32>
}
