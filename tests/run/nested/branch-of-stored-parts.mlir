// run
// Sides of a branch give parts of one extent, which points read where it is stored: before the branch.
// inputs: random:NxM; random:N; random:K where N = 0 1 5 40; M = 2; K = 0 1 7
// inputs: [[1, 2], [3, 4], [5, 6]]; [0, 1, 0]; [4, -1, 9, 2]
// structure: kernel.segmap 2, kernel.segscan 1
// versions: kernel.segmap 3, kernel.segscan 1
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>, %is: !array.array<[p]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %r, %t = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %c = arith.cmpi eq, %k, %zero : i32
    %f = array.filter (%i in %is : [p]i32) -> [?] {
      array.yield %c : i1
    }
    %rows = array.map (%i in %f : [?]i32) {
      array.yield %xs : !array.array<[m]i32>
    }
    %a = scf.if %c -> (!array.array<[?]i32>) {
      %b = array.stencil (%p, %q in %f : [?]i32 at [0, 3] clamp) {
        array.yield %q : i32
      }
      scf.yield %b : !array.array<[?]i32>
    } else {
      scf.yield %f : !array.array<[?]i32>
    }
    %zeros = array.map (%row in %rows : [?][m]i32) {
      array.yield %zero : i32
    }
    %u = array.reduce (%zeros : [?]i32) init (%zero : i32) combine arith.addi
    %s = array.reduce (%a : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %u, %s : i32, i32
  }
  func.return %r, %t : !array.array<[n]i32>, !array.array<[n]i32>
}
