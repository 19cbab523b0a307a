// run
// A branch that each point decides gives what is left of a filter, or of a filter of that: no more than there is before.
// inputs: random:N; random:M where N = 0 1 5 40; M = 0 1 7 33
// inputs: [3, -2, 0, 5]; [1, 2, 4, -3, 5]
// structure: kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segscan 1
func.func @main(%ks: !array.array<[n]i32>, %ys: !array.array<[m]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %r = array.map (%k in %ks : [n]i32) {
    %c = arith.cmpi sgt, %k, %zero : i32
    %f = array.filter (%y in %ys : [m]i32) -> [?] {
      %g = arith.cmpi sgt, %y, %k : i32
      array.yield %g : i1
    }
    %h = array.filter (%y in %f : [?]i32) -> [?] {
      %g = arith.cmpi slt, %y, %k : i32
      array.yield %g : i1
    }
    %d = scf.if %c -> (!array.array<[?]i32>) {
      scf.yield %h : !array.array<[?]i32>
    } else {
      scf.yield %f : !array.array<[?]i32>
    }
    %s = array.reduce (%d : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
