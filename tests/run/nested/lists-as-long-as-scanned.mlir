// run
// Lists at the points of an inner map are as long as a scan of the row says, in a thread block, too.
// inputs: [[1, 2, 3], [4, 1, 2]]
// outputs: [[1, 8, 45], [224, 224, 224]]
// inputs: [[0, 0], [3, 1]]
// structure: kernel.seghist 0, kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 4, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %fifteen = arith.constant 15 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%xs in %xss : [n][m]i32) {
    %ys = array.scan (%xs : [m]i32) init (%zero : i32) combine arith.maxsi
    %zs = array.map (%y in %ys : [m]i32) {
      %few = arith.andi %y, %fifteen : i32
      %j = arith.index_cast %few : i32 to index
      %i = array.replicate %y, [%j] : i32 -> [?]i32
      %l = scf.for %t = %c0 to %j step %c1 iter_args(%p = %i) -> (!array.array<[?]i32>) {
        %q = array.scan (%p : [?]i32) init (%zero : i32) combine arith.addi
        scf.yield %q : !array.array<[?]i32>
      }
      %s = array.reduce (%l : [?]i32) init (%zero : i32) combine arith.addi
      array.yield %s : i32
    }
    array.yield %zs : !array.array<[m]i32>
  }
  func.return %r : !array.array<[n][m]i32>
}
