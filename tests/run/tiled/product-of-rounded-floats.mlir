// run
// A product of f32 whose factors the program rounds to tf32: for tensor cores from sm_80 on, with the same numbers
// without them on older targets.
// inputs: random:NxK; random:KxM where N = 1 33; M = 16 31; K = 1 16 45
// inputs: random:65x36; random:36x68
// inputs: random:67x97; random:97x71
// inputs: random:0x3; random:3x5
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]f32>, %b: !array.array<[k][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]f32
  %c = array.map (%row in %a : [n][k]f32) {
    %r = array.map (%column in %bt : [m][k]f32) {
      %dot = array.redomap (%x in %row : [k]f32, %y in %column : [k]f32) init (%zero : f32) map {
        %xt = arith.truncf %x to_nearest_away : f32 to tf32
        %xf = arith.extf %xt : tf32 to f32
        %yt = arith.truncf %y to_nearest_away : f32 to tf32
        %yf = arith.extf %yt : tf32 to f32
        %p = arith.mulf %xf, %yf fastmath<contract> : f32
        array.yield %p : f32
      } combine (%s, %t) {
        %u = arith.addf %s, %t fastmath<reassoc,contract> : f32
        array.yield %u : f32
      }
      array.yield %dot : f32
    }
    array.yield %r : [m]f32
  }
  func.return %c : !array.array<[n][m]f32>
}
