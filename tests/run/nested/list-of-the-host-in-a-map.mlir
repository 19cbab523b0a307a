// run
// A list grows in a loop of the host, whose maps have arrays as long as it at each point.
// inputs: [0, 3, 1, 100, 17]; N where N = 0 1 4
// inputs: []; 3
// numpy: acc, n = xs.copy(), 1
// numpy: for i in range(k):
// numpy:   for p in range(len(acc)):
// numpy:     sums = np.bitwise_xor.accumulate(np.cumsum(np.full(n, acc[p], dtype=np.int32), dtype=np.int32)); acc[p] = sums[-1] + sums[0]
// numpy:   n = 2 * n
// numpy: acc
// structure: kernel.segmap 3, kernel.segscan 2
// versions: kernel.segmap 5, kernel.segscan 4
func.func @main(%xs: !array.array<[t]i32>, %k: index) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %start = array.iota %c1 : [?]i32
  %grown, %r = scf.for %i = %c0 to %k step %c1 iter_args(%a = %start, %acc = %xs) -> (!array.array<[?]i32>, !array.array<[t]i32>) {
    %n = array.dim %a, 0 : [?]i32
    %m = array.map (%x in %acc : [t]i32) {
      %row = array.replicate %x, [%n] : i32 -> [?]i32
      %sc = array.scan (%row : [?]i32) init (%zero : i32) combine arith.addi
      %sd = array.scan (%sc : [?]i32) init (%zero : i32) combine arith.xori
      %last = arith.subi %n, %c1 : index
      %v = array.index %sd[%last] : [?]i32
      %w = array.index %sd[%c0] : [?]i32
      %u = arith.addi %v, %w : i32
      array.yield %u : i32
    }
    %b = array.concat %a, %a : [?]i32, [?]i32 -> [?]i32
    scf.yield %b, %m : !array.array<[?]i32>, !array.array<[t]i32>
  }
  func.return %r : !array.array<[t]i32>
}
