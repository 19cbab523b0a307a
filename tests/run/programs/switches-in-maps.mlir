// run
// A switch of four ways in a map, each with a nest of its own.
// inputs: random:NxM where N = 0 1 9; M = 0 1 33
// numpy: n, m = xs.shape
// numpy: out = np.zeros(n, np.int32)
// numpy: for i, r in enumerate(xs):
// numpy:     out[i] = [r.sum(), r.max(initial=-5), (r * r).sum(), np.cumsum(r).sum()][i % 4]
// numpy: out
// structure: kernel.segmap 1
// versions: kernel.segmap 3, kernel.segred 8, kernel.segscan 2
func.func @main(%xs: !array.array<[n][m]i32>) -> !array.array<[n]i32> {
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %low = arith.constant -5 : i32
  %n = array.dim %xs, 0 : [n][m]i32
  %is = array.iota %n : [n]index
  %a = array.map (%r in %xs : [n][m]i32, %i in %is : [n]index) {
    %w = arith.remui %i, %c4 : index
    %v = "scf.index_switch"(%w) <{cases = array<i64: 0, 1, 2>}> ({
      %p = array.scan (%r : [m]i32) init (%zero : i32) combine arith.addi
      %s = array.reduce (%p : [m]i32) init (%zero : i32) combine arith.addi
      scf.yield %s : i32
    }, {
      %s = array.reduce (%r : [m]i32) init (%zero : i32) combine arith.addi
      scf.yield %s : i32
    }, {
      %least = arith.constant -2147483648 : i32
      %s = array.reduce (%r : [m]i32) init (%least : i32) combine arith.maxsi
      %t = arith.maxsi %s, %low : i32
      scf.yield %t : i32
    }, {
      %s = array.redomap (%x in %r : [m]i32) init (%zero : i32) map {
        %y = arith.muli %x, %x : i32
        array.yield %y : i32
      } combine arith.addi
      scf.yield %s : i32
    }) : (index) -> i32
    array.yield %v : i32
  }
  func.return %a : !array.array<[n]i32>
}
