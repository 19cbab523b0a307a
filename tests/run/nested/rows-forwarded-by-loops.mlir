// run
// Loops that may never run forward a row from outside: its extent is that row's.
// inputs: [1, 2, 3]; [7, 8]
// outputs: [[7, 8], [7, 8], [7, 8]]
// inputs: random:N; random:M where N = 0 1 33; M = 0 1 5
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = array.map (%x in %xs : [n]i32) {
    %few = arith.andi %x, %one : i32
    %outer:2 = scf.while (%i = %zero, %row = %ys) : (i32, !array.array<[m]i32>) -> (i32, !array.array<[m]i32>) {
      %go = arith.cmpi slt, %i, %few : i32
      scf.condition(%go) %i, %row : i32, !array.array<[m]i32>
    } do {
    ^bb0(%i: i32, %row: !array.array<[m]i32>):
      %next = arith.addi %i, %one : i32
      %inner:2 = scf.while (%j = %zero, %kept = %ys) : (i32, !array.array<[m]i32>) -> (i32, !array.array<[m]i32>) {
        %go = arith.cmpi slt, %j, %few : i32
        scf.condition(%go) %j, %kept : i32, !array.array<[m]i32>
      } do {
      ^bb0(%j: i32, %kept: !array.array<[m]i32>):
        %after = arith.addi %j, %one : i32
        scf.yield %after, %kept : i32, !array.array<[m]i32>
      }
      scf.yield %next, %inner#1 : i32, !array.array<[m]i32>
    }
    array.yield %outer#1 : [m]i32
  }
  func.return %r : !array.array<[n][m]i32>
}
