// run
// Lists as long as elements of an array that one of both ways of a branch makes, in a thread block, too.
// inputs: [[1, 2, 3], [4, 1, 2], [0, 0, 1]]; [2, 9, 0]
// structure: kernel.seghist 0, kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 4, kernel.segred 2, kernel.segscan 4
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %ys = array.scan (%xs : [m]i32) init (%zero : i32) combine arith.maxsi
    %s = array.reduce (%xs : [m]i32) init (%zero : i32) combine arith.addi
    %c = arith.cmpi sgt, %s, %k : i32
    %vs = scf.if %c -> (!array.array<[m]i32>) {
      %w = array.scan (%ys : [m]i32) init (%zero : i32) combine arith.addi
      scf.yield %w : !array.array<[m]i32>
    } else {
      scf.yield %ys : !array.array<[m]i32>
    }
    %zs = array.map (%y in %vs : [m]i32) {
      %y7 = arith.andi %y, %seven : i32
      %j = arith.index_cast %y7 : i32 to index
      %i = array.replicate %y, [%j] : i32 -> [?]i32
      %l = scf.for %t = %c0 to %j step %c1 iter_args(%p = %i) -> (!array.array<[?]i32>) {
        %q = array.scan (%p : [?]i32) init (%zero : i32) combine arith.xori
        scf.yield %q : !array.array<[?]i32>
      }
      %e = array.reduce (%l : [?]i32) init (%zero : i32) combine arith.addi
      array.yield %e : i32
    }
    array.yield %zs : !array.array<[m]i32>
  }
  func.return %r : !array.array<[n][m]i32>
}
