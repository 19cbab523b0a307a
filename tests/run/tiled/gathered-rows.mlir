// run
// A product of rows chosen by numbers with columns from the last on: views of the inputs, no copies.
// inputs: random:9xK; [8, 0, 3, 3, 7]; random:KxM where M = 1 31; K = 1 45
// inputs: random:4x3; []; random:3x5
// numpy: a[rows][:, :] @ b[:, ::-1] if len(rows) else np.zeros((0, b.shape[1]), np.float32)
// structure: kernel.segmap 2
// versions: kernel.segmap 3, kernel.segred 2
// shapes: 6
func.func @main(%a: !array.array<[l][k]f32>, %rows: !array.array<[n]index>, %b: !array.array<[k][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %m = array.dim %b, 1 : [k][m]f32
  %last = arith.subi %m, %one : index
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %js = array.iota %m : [m]index
  %c = array.map (%at in %rows : [n]index) {
    %row = array.index %a[%at] : [l][k]f32
    %r = array.map (%j in %js : [m]index) {
      %back = arith.subi %last, %j : index
      %column = array.index %bt[%back] : [m][k]f32
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map arith.mulf combine arith.addf
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  }
  func.return %c : !array.array<[n][m]f32>
}
