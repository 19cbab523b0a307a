// run
// A branch on a parameter in a map is decided on the host, around the map.
// inputs: true; random:N; random:M where N = 0 1 33; M = 0 1 65
// inputs: false; random:N; random:M where N = 0 1 33; M = 0 1 65
// numpy: xs[:, None] + ys[None, :] if b else np.broadcast_to(ys, (len(xs), len(ys)))
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%b: i1, %xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>) -> !array.array<[n][m]i32> {
  %A = array.map (%x in %xs : [n]i32) {
    %row = scf.if %b -> (!array.array<[m]i32>) {
      %s = array.map (%y in %ys : [m]i32) {
        %z = arith.addi %x, %y : i32
        array.yield %z : i32
      }
      scf.yield %s : !array.array<[m]i32>
    } else {
      scf.yield %ys : !array.array<[m]i32>
    }
    array.yield %row : [m]i32
  }
  func.return %A : !array.array<[n][m]i32>
}
