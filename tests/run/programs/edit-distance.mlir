// run
// The edit distance of two texts by anti-diagonals: each from the two before it, in a loop on the host.
// inputs: [1, 2, 3, 4]; [1, 3, 4, 5]
// outputs: 2
// inputs: random:N; random:M where N = 1 33; M = 1 31
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[n]i8>, %b: !array.array<[m]i8>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %far = arith.constant 100000 : i32
  %n = array.dim %a, 0 : [n]i8
  %m = array.dim %b, 0 : [m]i8
  %width = arith.addi %n, %c1 : index
  %is = array.iota %width : [?]index
  %start = array.replicate %far, [%width] : i32 -> [?]i32
  %sum = arith.addi %n, %m : index
  %end = arith.addi %sum, %c1 : index
  %last, %other = scf.for %d = %c0 to %end step %c1 iter_args(%before = %start, %older = %start) -> (!array.array<[?]i32>, !array.array<[?]i32>) {
    %diagonal = array.map (%i in %is : [?]index) {
      %j = arith.subi %d, %i : index
      %fits = arith.cmpi ule, %j, %m : index
      %value = scf.if %fits -> (i32) {
        %top = arith.cmpi eq, %i, %c0 : index
        %left = arith.cmpi eq, %j, %c0 : index
        %edge = arith.ori %top, %left : i1
        %v = scf.if %edge -> (i32) {
          %l = arith.index_cast %d : index to i32
          scf.yield %l : i32
        } else {
          %i1 = arith.subi %i, %c1 : index
          %j1 = arith.subi %j, %c1 : index
          %up = array.index %before[%i1] : [?]i32
          %side = array.index %before[%i] : [?]i32
          %across = array.index %older[%i1] : [?]i32
          %x = array.index %a[%i1] : [n]i8
          %y = array.index %b[%j1] : [m]i8
          %differs = arith.cmpi ne, %x, %y : i8
          %cost = arith.select %differs, %one, %none : i32
          %replaced = arith.addi %across, %cost : i32
          %less = arith.minsi %up, %side : i32
          %moved = arith.addi %less, %one : i32
          %best = arith.minsi %moved, %replaced : i32
          scf.yield %best : i32
        }
        scf.yield %v : i32
      } else {
        scf.yield %far : i32
      }
      array.yield %value : i32
    }
    scf.yield %diagonal, %before : !array.array<[?]i32>, !array.array<[?]i32>
  }
  %r = array.index %last[%n] : [?]i32
  func.return %r : i32
}
