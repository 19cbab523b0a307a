// run
// Two lists at each point that change places as the step says, one of them longer each time, and a matrix that grows in one
// dimension, then in the other; elements of all of them are replaced.
// inputs: [0, 1, 2, 3, 5]
// inputs: []
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ns: !array.array<[t]index>) -> (!array.array<[t]i32>, !array.array<[t]i32>, !array.array<[t]index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %most = arith.constant 7 : index
  %A, %B, %C = array.map (%any in %ns : [t]index) {
    %n = arith.andi %any, %most : index
    %p0 = array.iota %c1 : [?]i32
    %q0 = array.iota %n : [?]i32
    %m0 = array.replicate %seven, [%c1, %c1] : i32 -> [?][?]i32
    %p, %q, %m = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p0, %b = %q0, %mat = %m0) -> (!array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?][?]i32>) {
      %j = array.concat %a, %b : [?]i32, [?]i32 -> [?]i32
      %at = array.dim %a, 0 : [?]i32
      %last = arith.subi %at, %c1 : index
      %i32 = arith.index_cast %i : index to i32
      %u = array.update %i32, %a[%last] : i32, [?]i32
      %odd = arith.remui %i, %c2 : index
      %isodd = arith.cmpi eq, %odd, %c1 : index
      %tr = array.rearrange %mat, [1, 0] : [?][?]i32
      %h = array.dim %mat, 0 : [?][?]i32
      %w = array.dim %mat, 1 : [?][?]i32
      %mm = array.concat %tr, %tr : [?][?]i32, [?][?]i32 -> [?][?]i32
      %mu = array.update %i32, %mm[%c1, %c0] : i32, [?][?]i32
      %x, %y = scf.if %isodd -> (!array.array<[?]i32>, !array.array<[?]i32>) {
        scf.yield %j, %u : !array.array<[?]i32>, !array.array<[?]i32>
      } else {
        scf.yield %u, %j : !array.array<[?]i32>, !array.array<[?]i32>
      }
      scf.yield %x, %y, %mu : !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?][?]i32>
    }
    %s = array.reduce (%p : [?]i32) init (%zero : i32) combine arith.addi
    %r = array.reduce (%q : [?]i32) init (%zero : i32) combine arith.addi
    %sr = arith.muli %s, %seven : i32
    %sq = arith.addi %sr, %r : i32
    %rows = array.map (%row in %m : [?][?]i32) {
      %v = array.reduce (%row : [?]i32) init (%zero : i32) combine arith.addi
      array.yield %v : i32
    }
    %z = array.scan (%rows : [?]i32) init (%zero : i32) combine arith.xori
    %zz = array.reduce (%z : [?]i32) init (%zero : i32) combine arith.addi
    %len = array.dim %m, 0 : [?][?]i32
    %len1 = array.dim %m, 1 : [?][?]i32
    %prod = arith.muli %len, %len1 : index
    array.yield %sq, %zz, %prod : i32, i32, index
  }
  func.return %A, %B, %C : !array.array<[t]i32>, !array.array<[t]i32>, !array.array<[t]index>
}
