// run
// Lists as long as signed remainders of what lists of the round before gave: nothing bounds them before the points run, so only the flat version is left,
// whose rounds the host counts.
// inputs: [[1, 2, 3], [4, 1, 2], [0, 0, 1]]; 1
// inputs: [[1, 2], [1, 1]]; 2
// structure: kernel.seghist 0, kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 5, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i32>, %k: index) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%xs in %xss : [n][m]i32) {
    %acc = scf.for %t = %c0 to %k step %c1 iter_args(%a = %xs) -> (!array.array<[m]i32>) {
      %ys = array.scan (%a : [m]i32) init (%zero : i32) combine arith.addi
      %zs = array.map (%y in %ys : [m]i32) {
        %rest = arith.remsi %y, %seven : i32
        %few = arith.maxsi %rest, %zero : i32
        %j = arith.index_cast %few : i32 to index
        %i = array.replicate %y, [%j] : i32 -> [?]i32
        %l = scf.for %t2 = %c0 to %j step %c1 iter_args(%u = %i) -> (!array.array<[?]i32>) {
          %v = array.scan (%u : [?]i32) init (%zero : i32) combine arith.xori
          scf.yield %v : !array.array<[?]i32>
        }
        %e = array.reduce (%l : [?]i32) init (%zero : i32) combine arith.addi
        array.yield %e : i32
      }
      scf.yield %zs : !array.array<[m]i32>
    }
    array.yield %acc : !array.array<[m]i32>
  }
  func.return %r : !array.array<[n][m]i32>
}
