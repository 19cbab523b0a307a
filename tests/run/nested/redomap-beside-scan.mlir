// run
// Two combinators over the same rows, one using the other's result: positions of maxima, then prefixes up to them.
// inputs: [[1, 9, 3], [7, 2, 7]]
// outputs: [1, 0]; [[1, 10, 10], [7, 7, 7]]
// inputs: random:NxM where N = 0 1 5; M = 1 31 33 1025
// structure: kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i32>) -> (!array.array<[n]index>, !array.array<[n][m]i32>) {
  %m = array.dim %xss, 1 : [n][m]i32
  %low = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %is = array.iota %m : [m]index
  %at, %sums = array.map (%xs in %xss : [n][m]i32) {
    %max, %where = array.redomap (%x in %xs : [m]i32, %i in %is : [m]index) init (%low : i32, %m : index) neutral (%low : i32, %m : index) map {
      array.yield %x, %i : i32, index
    } combine (%a, %i, %b, %j) {
      %more = arith.cmpi sgt, %a, %b : i32
      %same = arith.cmpi eq, %a, %b : i32
      %before = arith.cmpi ult, %i, %j : index
      %tie = arith.andi %same, %before : i1
      %left = arith.ori %more, %tie : i1
      %c = arith.select %left, %a, %b : i32
      %k = arith.select %left, %i, %j : index
      array.yield %c, %k : i32, index
    }
    %ys = array.scanomap (%x in %xs : [m]i32, %i in %is : [m]index) init (%zero : i32) map {
      %counts = arith.cmpi ule, %i, %where : index
      %y = arith.select %counts, %x, %zero : i32
      array.yield %y : i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      array.yield %s : i32
    }
    array.yield %where, %ys : index, [m]i32
  }
  func.return %at, %sums : !array.array<[n]index>, !array.array<[n][m]i32>
}
