// run
// Cellular automata, of which one feeds the other, step after step from 2 on by threes: integers, in a batch.
// inputs: random:BxN; random:BxN; K where B = 0 1 3; N = 1 2 700; K = 0 3 40
// numpy: u, v = a, b
// numpy: n = a.shape[1]
// numpy: at = lambda x, o: np.roll(x, -o, 1)
// numpy: for _ in range(2, last, 3):
// numpy:     u, v = at(u, -1) ^ at(v, 1), at(v, -1) + at(v, 2) - u
// numpy: u, v
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%a: !array.array<[b][n]i32>, %b: !array.array<[b][n]i32>, %last: index) -> (!array.array<[b][n]i32>, !array.array<[b][n]i32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %t = %c2 to %last step %c3 iter_args(%u = %a, %v = %b) -> (!array.array<[b][n]i32>, !array.array<[b][n]i32>) {
    %x, %y = array.stencil (%ul, %uc in %u : [b][n]i32 at [[0, -1], [0, 0]] wrap, %vl, %vr, %vs in %v : [b][n]i32 at [[0, -1], [0, 1], [0, 2]] wrap) {
      %p = arith.xori %ul, %vr : i32
      %q = arith.addi %vl, %vs : i32
      %s = arith.subi %q, %uc : i32
      array.yield %p, %s : i32, i32
    }
    scf.yield %x, %y : !array.array<[b][n]i32>, !array.array<[b][n]i32>
  }
  func.return %r#0, %r#1 : !array.array<[b][n]i32>, !array.array<[b][n]i32>
}
