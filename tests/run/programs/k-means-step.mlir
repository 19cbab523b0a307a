// run
// A step of k-means in one dimension: the nearest centre of each point, then sums and counts of each cluster.
// inputs: [1, 2, 10, 11, 12]; [0, 9]
// outputs: [1, 11]; [2, 3]
// inputs: random:N; random:K where N = 0 1 33 1025; K = 1 3
// structure: kernel.seghist 1, kernel.segmap 3, kernel.segred 1
// versions: kernel.seghist 1, kernel.segmap 5, kernel.segred 2
func.func @main(%xs: !array.array<[n]i64>, %centres: !array.array<[k]i64>) -> (!array.array<[k]i64>, !array.array<[k]i64>) {
  %k = array.dim %centres, 0 : [k]i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %far = arith.constant 1000000000 : i64
  %cs = array.iota %k : [k]index
  %near = array.map (%x in %xs : [n]i64) {
    %d, %which = array.redomap (%c in %centres : [k]i64, %i in %cs : [k]index) init (%far : i64, %k : index) map {
      %e = arith.subi %x, %c : i64
      %e2 = arith.muli %e, %e : i64
      array.yield %e2, %i : i64, index
    } combine (%a, %i, %b, %j) {
      %less = arith.cmpi slt, %a, %b : i64
      %same = arith.cmpi eq, %a, %b : i64
      %before = arith.cmpi ult, %i, %j : index
      %tie = arith.andi %same, %before : i1
      %left = arith.ori %less, %tie : i1
      %d = arith.select %left, %a, %b : i64
      %w = arith.select %left, %i, %j : index
      array.yield %d, %w : i64, index
    }
    array.yield %which : index
  }
  %none = array.replicate %zero, [%k] : i64 -> [k]i64
  %sums, %counts = array.hist (%at in %near : [n]index, %x in %xs : [n]i64) into (%none : [k]i64, %none : [k]i64) neutral (%zero : i64, %zero : i64) map {
    array.yield %at, %x, %one : index, i64, i64
  } combine (%s, %c, %t, %d) {
    %u = arith.addi %s, %t : i64
    %e = arith.addi %c, %d : i64
    array.yield %u, %e : i64, i64
  }
  %new = array.map (%s in %sums : [k]i64, %c in %counts : [k]i64) {
    %some = arith.maxsi %c, %one : i64
    %mean = arith.divsi %s, %some : i64
    array.yield %mean : i64
  }
  func.return %new, %counts : !array.array<[k]i64>, !array.array<[k]i64>
}
