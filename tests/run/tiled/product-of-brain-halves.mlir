// run
// A product of bfloat16, with sums of f32: for tensor cores from sm_80 on, and without them on older targets.
// inputs: random:NxK; random:KxM where N = 1 33; M = 16 31; K = 1 16 45
// inputs: random:65x36; random:36x68
// inputs: random:67x97; random:97x71
// inputs: random:0x3; random:3x5
// structure: kernel.segmap 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%a: !array.array<[n][k]bf16>, %b: !array.array<[k][m]bf16>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0.0 : f32
  %bt = array.rearrange %b, [1, 0] : [k][m]bf16
  %c = array.map (%row in %a : [n][k]bf16) {
    %r = array.map (%column in %bt : [m][k]bf16) {
      %dot = array.redomap (%x in %row : [k]bf16, %y in %column : [k]bf16) init (%zero : f32) map {
        %xf = arith.extf %x : bf16 to f32
        %yf = arith.extf %y : bf16 to f32
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
