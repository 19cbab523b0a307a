// run
// A with-loop over a histogram of a point, whose bins all points share: the array of the with-loop is known before its
// extent is, as the loop before it cannot be done ahead of the nest.
// inputs: random:0x3; []; 5
// inputs: random:1x4; [0]; 2
// inputs: random:7x5; random:7; -1
// inputs: random:33x2; random:33; 1
// structure: kernel.seghist 1, kernel.segmap 4, kernel.segred 1
// versions: kernel.seghist 1, kernel.segmap 5, kernel.segred 1
func.func @main(%xss: !array.array<[n][m]i32>, %xs: !array.array<[n]i32>, %k: i32) -> !array.array<[n][n]i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.dim %xss, 0 : [n][m]i32
  %r = array.map (%row in %xss : [n][m]i32) {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %k) -> (i32) {
      %few = arith.andi %k, %three : i32
      %count = arith.index_cast %few : i32 to index
      %is = array.iota %count : [?]i32
      %u = array.reduce (%is : [?]i32) init (%t : i32) combine arith.addi
      scf.yield %u : i32
    }
    %h = array.hist (%x in %xs : [n]i32) into (%xs : [n]i32) neutral (%zero : i32) map {
      %at = arith.index_cast %x : i32 to index
      array.yield %at, %s : index, i32
    } combine (%a, %b) {
      %sum = arith.addi %a, %b : i32
      array.yield %sum : i32
    }
    %below = arith.subi %n, %c1 : index
    %end = arith.maxsi %below, %c0 : index
    %odd = array.with_loop modarray (%h : [n]i32) partition ([0] <= (%j) < [%end] step [2] width [1]) {
      %old = array.index %h[%j] : [n]i32
      %new = arith.xori %old, %s : i32
      array.yield %new : i32
    }
    array.yield %odd : [n]i32
  }
  func.return %r : !array.array<[n][n]i32>
}
