// run
// An operator on pairs: per bin the largest element and where it is first.
// inputs: [3, 1, 4, 1, 5, 9, 2, 6]
// outputs: [6, 9, -1]; [7, 5, 8]
// inputs: random:N where N = 0 1 31 32 33 1023 1025 5000
// structure: kernel.seghist 1, kernel.segmap 2
// versions: kernel.seghist 1, kernel.segmap 2
func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[3]i32>, !array.array<[3]i32>) {
  %n = array.dim %xs, 0 : [n]i32
  %three = arith.constant 3 : index
  %two = arith.constant 2 : i32
  %low = arith.constant -1 : i32
  %far = arith.index_cast %n : index to i32
  %values = array.replicate %low, [%three] : i32 -> [3]i32
  %places = array.replicate %far, [%three] : i32 -> [3]i32
  %is = array.iota %n : [n]i32
  %v, %p = array.hist (%x in %xs : [n]i32, %i in %is : [n]i32) into (%values : [3]i32, %places : [3]i32) neutral (%low : i32, %far : i32) map {
    %bin = arith.remui %x, %two : i32
    %at = arith.index_castui %bin : i32 to index
    array.yield %at, %x, %i : index, i32, i32
  } combine (%a, %i, %b, %j) {
    %more = arith.cmpi sgt, %a, %b : i32
    %same = arith.cmpi eq, %a, %b : i32
    %before = arith.cmpi slt, %i, %j : i32
    %tie = arith.andi %same, %before : i1
    %left = arith.ori %more, %tie : i1
    %c = arith.select %left, %a, %b : i32
    %k = arith.select %left, %i, %j : i32
    array.yield %c, %k : i32, i32
  }
  func.return %v, %p : !array.array<[3]i32>, !array.array<[3]i32>
}
