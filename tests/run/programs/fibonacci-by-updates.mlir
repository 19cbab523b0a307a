// run
// An array filled in place by a loop: every element from the two before it.
// inputs: 8
// outputs: [1, 1, 2, 3, 5, 8, 13, 21]
// inputs: N where N = 2 33
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%n: index) -> !array.array<[?]i64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %ones = array.replicate %one, [%n] : i64 -> [?]i64
  %r = scf.for %i = %c2 to %n step %c1 iter_args(%f = %ones) -> (!array.array<[?]i64>) {
    %i1 = arith.subi %i, %c1 : index
    %i2 = arith.subi %i, %c2 : index
    %a = array.index %f[%i1] : [?]i64
    %b = array.index %f[%i2] : [?]i64
    %s = arith.addi %a, %b : i64
    %next = array.update %s, %f[%i] : i64, [?]i64
    scf.yield %next : !array.array<[?]i64>
  }
  func.return %r : !array.array<[?]i64>
}
