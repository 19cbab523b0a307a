// run
// A prefix sum that is the same for all points is computed once a round.
// inputs: random:N where N = 0 1 2 17 40
// numpy: xs + sum((xs[:i].sum(dtype=np.int32) for i in range(len(xs))), np.int32(0))
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = array.dim %xs, 0 : [n]i32
  %A = array.map (%x in %xs : [n]i32) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (i32) {
      %part = array.slice %xs[%c0] sizes [%i] strides [%c1] : [n]i32 -> [?]i32
      %s = array.reduce (%part : [?]i32) init (%zero : i32) combine arith.addi
      %new = arith.addi %acc, %s : i32
      scf.yield %new : i32
    }
    array.yield %r : i32
  }
  func.return %A : !array.array<[n]i32>
}
