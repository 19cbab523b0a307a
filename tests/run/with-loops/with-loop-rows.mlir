// run
// Values that are arrays, and two results at once: rows of a matrix, every second of them reversed, the others a
// default row; and how long they are, counted from both ends.
// inputs: random:NxM; random:M; K where N = 0 1 6; M = 1 5; K = 3
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]f32>, %row: !array.array<[m]f32>, %k: index) -> (!array.array<[n][k][m]f32>, !array.array<[n][k]index>) {
  %n = array.dim %xss, 0 : [n][m]f32
  %zero = arith.constant 0 : index
  %rows, %at = array.with_loop genarray [%n, %k] default (%row : [m]f32, %zero : index) partition ((%i, %j) < [%n, %k] step [1, 2]) {
    %x = array.index %xss[%i] : [n][m]f32
    %y = array.reverse %x, 0 : [m]f32
    %p = arith.muli %i, %j : index
    array.yield %y, %p : [m]f32, index
  } : [n][k][m]f32, [n][k]index
  func.return %rows, %at : !array.array<[n][k][m]f32>, !array.array<[n][k]index>
}
