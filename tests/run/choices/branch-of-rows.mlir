// run
// A branch on what differs between points, between two rows: around each element, in one nest of both maps.
// inputs: random:KxD; random:KxD; random:K where K = 0 1 7 33; D = 0 1 5 64
// inputs: [[1, 2], [3, 4]]; [[9, 9], [-7, 8]]; [0, 2]
// numpy: np.where(counts[:, None] == 0, cs, sums // np.where(counts == 0, 1, counts)[:, None])
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%cs: !array.array<[k][d]i32>, %sums: !array.array<[k][d]i32>, %counts: !array.array<[k]i32>) -> !array.array<[k][d]i32> {
  %zero = arith.constant 0 : i32
  %r = array.map (%centre in %cs : [k][d]i32, %sum in %sums : [k][d]i32, %m in %counts : [k]i32) {
    %empty = arith.cmpi eq, %m, %zero : i32
    %new = scf.if %empty -> (!array.array<[d]i32>) {
      scf.yield %centre : !array.array<[d]i32>
    } else {
      %mean = array.map (%x in %sum : [d]i32) {
        %q = arith.floordivsi %x, %m : i32
        array.yield %q : i32
      }
      scf.yield %mean : !array.array<[d]i32>
    }
    array.yield %new : [d]i32
  }
  func.return %r : !array.array<[k][d]i32>
}
