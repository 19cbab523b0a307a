// run
// Two lists change places, and one loses elements, as often as the sum of a third one says.
// inputs: [[1, 2, 3, -4, 5, 6, 7], [3, 1, 2, 9, 2, 1, 1]]; [1, 3]
// outputs: [16, 19]
// inputs: random:NxM; random:N where N = 0 1 5; M = 0 1 17
// structure: kernel.seghist 0, kernel.segmap 2, kernel.segscan 1
// versions: kernel.segmap 3, kernel.segred 1, kernel.segscan 1
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %f = array.filter (%x in %xs : [m]i32) -> [?] {
      %c = arith.cmpi sgt, %x, %k : i32
      array.yield %c : i1
    }
    %s = array.reduce (%f : [?]i32) init (%zero : i32) combine arith.addi
    %seven = arith.constant 7 : i32
    %sm = arith.remui %s, %seven : i32
    %rounds = arith.index_cast %sm : i32 to index
    %a0 = array.cast %xs : [m]i32 -> [?]i32
    %a, %b = scf.for %t = %c0 to %rounds step %c1 iter_args(%p = %f, %q = %a0) -> (!array.array<[?]i32>, !array.array<[?]i32>) {
      %g = array.filter (%x in %p : [?]i32) -> [?] {
        %tt = arith.index_cast %t : index to i32
        %c = arith.cmpi ne, %x, %tt : i32
        array.yield %c : i1
      }
      scf.yield %q, %g : !array.array<[?]i32>, !array.array<[?]i32>
    }
    %u = array.reduce (%a : [?]i32) init (%zero : i32) combine arith.addi
    %v = array.reduce (%b : [?]i32) init (%zero : i32) combine arith.xori
    %w = arith.addi %u, %v : i32
    array.yield %w : i32
  }
  func.return %r : !array.array<[n]i32>
}
