// run
// A size that is made in a map and is the same for all points has a name, and versions.
// inputs: random:N; K where N = 0 1 7 33; K = 0 1 5 64
// numpy: (xs * k).astype(np.int32)
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xs: !array.array<[n]i32>, %k: index) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %r = array.map (%x in %xs : [n]i32) {
    %ys = array.replicate %x, [%k] : i32 -> [k]i32
    %s = array.reduce (%ys : [k]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
