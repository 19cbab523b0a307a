// run
// Lists at the points of a matrix that a thread block has scanned.
// inputs: [[[1, 2, 3], [4, 1, 2]], [[0, 0, 1], [1, 1, 1]]]
// inputs: random:0x2x3
// structure: kernel.seghist 0, kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 4, kernel.segscan 2
func.func @main(%x3: !array.array<[n][p][q]i32>) -> !array.array<[n][p][q]i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%xss in %x3 : [n][p][q]i32) {
    %yss = array.map (%xs in %xss : [p][q]i32) {
      %ys = array.scan (%xs : [q]i32) init (%zero : i32) combine arith.maxsi
      array.yield %ys : !array.array<[q]i32>
    }
    %zss = array.map (%ys in %yss : [p][q]i32) {
      %zs = array.map (%y in %ys : [q]i32) {
        %y3 = arith.andi %y, %three : i32
        %j = arith.index_cast %y3 : i32 to index
        %i = array.replicate %y, [%j] : i32 -> [?]i32
        %l = scf.for %t = %c0 to %j step %c1 iter_args(%u = %i) -> (!array.array<[?]i32>) {
          %v = array.scan (%u : [?]i32) init (%zero : i32) combine arith.addi
          scf.yield %v : !array.array<[?]i32>
        }
        %e = array.reduce (%l : [?]i32) init (%zero : i32) combine arith.addi
        array.yield %e : i32
      }
      array.yield %zs : !array.array<[q]i32>
    }
    array.yield %zss : !array.array<[p][q]i32>
  }
  func.return %r : !array.array<[n][p][q]i32>
}
