// The running example of the lecture: asss and bss.
func.func @main(%pss: !array.array<[m][m]i32>, %n: index) -> (!array.array<[m][m][m]i32>, !array.array<[m][m]i32>) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %asss, %bss = array.map (%ps in %pss : [m][m]i32) {
    %ass = array.map (%p in %ps : [m]i32) {
      %count = arith.index_cast %p : i32 to index
      %is = array.iota %count : [?]i32
      %cs = array.scan (%is : [?]i32) init (%zero : i32) combine (%acc, %i) {
        %s = arith.addi %acc, %i : i32
        array.yield %s : i32
      }
      %r = array.reduce (%cs : [?]i32) init (%zero : i32) combine (%acc, %c) {
        %s = arith.addi %acc, %c : i32
        array.yield %s : i32
      }
      %as = array.map (%q in %ps : [m]i32) {
        %a = arith.addi %q, %r : i32
        array.yield %a : i32
      }
      array.yield %as : !array.array<[m]i32>
    }
    %bs = scf.for %i = %c0 to %n step %c1 iter_args(%ws = %ps) -> (!array.array<[m]i32>) {
      %next = array.map (%as in %ass : [m][m]i32, %w in %ws : [m]i32) {
        %d = array.reduce (%as : [m]i32) init (%zero : i32) combine (%acc, %a) {
          %s = arith.addi %acc, %a : i32
          array.yield %s : i32
        }
        %e = arith.addi %d, %w : i32
        %f = arith.muli %two, %e : i32
        array.yield %f : i32
      }
      scf.yield %next : !array.array<[m]i32>
    }
    array.yield %ass, %bs : !array.array<[m][m]i32>, !array.array<[m]i32>
  }
  func.return %asss, %bss : !array.array<[m][m][m]i32>, !array.array<[m][m]i32>
}
