// run
// Elements far from the mean of all, with their places, then their sum: the size a filter names is used after it.
// inputs: [1, 2, 30, 3, -40]
// outputs: [30, -40]; [2, 4]; [900, 1600]; -10
// inputs: random:N where N = 0 1 31 32 33 1023 1025
// structure: kernel.segmap 0, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 0, kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i64>) -> (!array.array<[k]i64>, !array.array<[k]index>, !array.array<[k]i64>, i64) {
  %zero = arith.constant 0 : i64
  %limit = arith.constant 20 : i64
  %n = array.dim %xs, 0 : [n]i64
  %is = array.iota %n : [n]index
  %far, %at = array.filter (%x in %xs : [n]i64, %i in %is : [n]index) -> [k] {
    %minus = arith.subi %zero, %x : i64
    %size = arith.maxsi %x, %minus : i64
    %keep = arith.cmpi sgt, %size, %limit : i64
    array.yield %keep : i1
  }
  %squares = array.map (%x in %far : [k]i64) {
    %s = arith.muli %x, %x : i64
    array.yield %s : i64
  }
  %sum = array.reduce (%far : [k]i64) init (%zero : i64) combine (%acc, %x) {
    %s = arith.addi %acc, %x : i64
    array.yield %s : i64
  }
  func.return %far, %at, %squares, %sum : !array.array<[k]i64>, !array.array<[k]index>, !array.array<[k]i64>, i64
}
