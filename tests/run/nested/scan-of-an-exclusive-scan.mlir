// run
// An exclusive scan that does not start with a neutral element, then a scan of what it gives: the first element is written in
// place, for all rows in one kernel.
// inputs: random:NxM; random:N where N = 0 1 5 40; M = 0 1 2 33 300
// structure: kernel.segscan 2
// versions: kernel.segmap 2, kernel.segscan 4
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> !array.array<[n][m]i32> {
  %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %q = array.scan exclusive (%xs : [m]i32) init (%k : i32) combine arith.addi
    %t = array.scan (%q : [m]i32) init (%k : i32) combine arith.maxsi
    array.yield %t : !array.array<[m]i32>
  }
  func.return %r : !array.array<[n][m]i32>
}
