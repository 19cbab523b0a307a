// run
// A scan and a reduction that maps are fused into, which store an array for each element: one made with sizes that are
// checked, and an update of one from outside. Sizes and index are checked once, unless there is no element.
// inputs: [[1, 2, 3], [4, 5, 6]]; [7, 8]; 1; 2
// outputs: [7, 15]; [[[7, 7], [7, 7]], [[8, 8], [8, 8]]]; [[[1, 2, 3], [4, 7, 6]], [[1, 2, 3], [4, 8, 6]]]; 15
// inputs: random:NxM; random:N; 0; K where N = 1 3 70; M = 2 31; K = 0 1 5
// inputs: [[1, 2, 3], [4, 5, 6]]; [7, 8]; 2; 2
// error: @%u = array.update@ ... 'array.update' op index 2 is out of range for dimension 0 of [n][m]i32, which has 2
// inputs: [[1, 2, 3], [4, 5, 6]]; [7, 8]; 1; -1
// error: @%s = array.replicate@ ... 'array.replicate' op a size cannot be -1
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// shapes: 5
func.func @main(%xss: !array.array<[n][m]i32>, %xs: !array.array<[n]i32>, %i: index, %k: index) -> (!array.array<[n]i32>, !array.array<[n][?][?]i32>, !array.array<[n][n][m]i32>, i32) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %a, %b, %c = array.scanomap (%x in %xs : [n]i32) init (%zero : i32) map {
    %s = array.replicate %x, [%k, %k] : i32 -> [?][?]i32
    %u = array.update %x, %xss[%i, %c1] : i32, [n][m]i32
    array.yield %x, %s, %u : i32, [?][?]i32, [n][m]i32
  } combine (%p, %q) {
    %r = arith.addi %p, %q : i32
    array.yield %r : i32
  }
  %d, %e = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {
    %u = array.update %x, %xss[%i, %c1] : i32, [n][m]i32
    array.yield %x, %u : i32, [n][m]i32
  } combine (%p, %q) {
    %r = arith.addi %p, %q : i32
    array.yield %r : i32
  }
  %same = array.map (%f in %c : [n][n][m]i32, %g in %e : [n][n][m]i32) {
    %h = array.map (%v in %f : [n][m]i32, %w in %g : [n][m]i32) {
      %t = array.map (%y in %v : [m]i32, %z in %w : [m]i32) arith.maxsi
      array.yield %t : [m]i32
    }
    array.yield %h : [n][m]i32
  }
  func.return %a, %b, %same, %d : !array.array<[n]i32>, !array.array<[n][?][?]i32>, !array.array<[n][n][m]i32>, i32
}
