// run
// Joined arrays are written where they belong, and not fused with another reader of the rows into an array of its own.
// inputs: random:NxM; random:N; K where N = 0 1 7; M = 0 1 33; K = 0 1 5
// numpy: np.concatenate([x + 1, np.repeat(y[:, None], k, axis=1)], axis=1), x.sum(axis=1, dtype=np.int32)
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 1
func.func @main(%x: !array.array<[n][m]i32>, %y: !array.array<[n]i32>, %k: index) -> (!array.array<[n][?]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %A = array.map (%row in %x : [n][m]i32, %v in %y : [n]i32) {
    %more = array.map (%e in %row : [m]i32) {
      %f = arith.addi %e, %one : i32
      array.yield %f : i32
    }
    %vs = array.replicate %v, [%k] : i32 -> [?]i32
    %both = array.concat %more, %vs : [m]i32, [?]i32 -> [?]i32
    array.yield %both : [?]i32
  }
  %C = array.map (%row in %x : [n][m]i32) {
    %s = array.reduce (%row : [m]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %A, %C : !array.array<[n][?]i32>, !array.array<[n]i32>
}
