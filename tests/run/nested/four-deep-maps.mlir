// run
// Four maps around one line of code, over arrays of four ranks: one kernel over all four dimensions.
// inputs: [[[[1, 2], [3, 4]]]]; [10]; [[100, 200]]; [[[1000, 2000]]]
// outputs: [[[[1111, 2112], [1213, 2214]]]]
// inputs: random:AxBxCx5; random:A; random:AxC; random:AxBx5 where A = 0 1 3; B = 1 2; C = 1 33
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%x: !array.array<[a][b][c][d]i32>, %y: !array.array<[a]i32>, %z: !array.array<[a][c]i32>, %w: !array.array<[a][b][d]i32>) -> !array.array<[a][b][c][d]i32> {
  %r = array.map (%x1 in %x : [a][b][c][d]i32, %y1 in %y : [a]i32, %z1 in %z : [a][c]i32, %w1 in %w : [a][b][d]i32) {
    %r1 = array.map (%x2 in %x1 : [b][c][d]i32, %w2 in %w1 : [b][d]i32) {
      %r2 = array.map (%x3 in %x2 : [c][d]i32, %z3 in %z1 : [c]i32) {
        %r3 = array.map (%x4 in %x3 : [d]i32, %w4 in %w2 : [d]i32) {
          %s = arith.addi %x4, %y1 : i32
          %t = arith.addi %z3, %w4 : i32
          %u = arith.addi %s, %t : i32
          array.yield %u : i32
        }
        array.yield %r3 : [d]i32
      }
      array.yield %r2 : [c][d]i32
    }
    array.yield %r1 : [b][c][d]i32
  }
  func.return %r : !array.array<[a][b][c][d]i32>
}
