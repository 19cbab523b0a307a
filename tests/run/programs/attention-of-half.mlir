// run
// As `attention-rescaled`, of f16 that are multiplied and added in f32: tensor cores make the scores of a tile.
// inputs: random:HxNx32; random:HxMx32; random:HxMxE where H = 2; N = 65; M = 67 130; E = 9 70
// structure: kernel.segmap 3, kernel.segred 1
// versions: kernel.segmap 8, kernel.segred 10
func.func @main(%q: !array.array<[h][n][32]f16>, %k: !array.array<[h][m][32]f16>, %v: !array.array<[h][m][e]f16>) -> !array.array<[h][n][e]f32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %r = array.map (%qh in %q : [h][n][32]f16, %kh in %k : [h][m][32]f16, %vh in %v : [h][m][e]f16) {
    %vt = array.rearrange %vh, [1, 0] : [m][e]f16
    %rows = array.map (%row in %qh : [n][32]f16) {
      %scores = array.map (%key in %kh : [m][32]f16) {
        %dot = array.redomap (%x in %row : [32]f16, %y in %key : [32]f16) init (%zero : f32) map {
          %xx = arith.extf %x : f16 to f32
          %yy = arith.extf %y : f16 to f32
          %p = arith.mulf %xx, %yy fastmath<reassoc,contract> : f32
          array.yield %p : f32
        } combine (%a, %b) {
          %ab = arith.addf %a, %b fastmath<reassoc,contract> : f32
          array.yield %ab : f32
        }
        array.yield %dot : f32
      }
      %max = array.reduce (%scores : [m]f32) init (%lowest : f32) combine (%acc, %x) {
        %larger = arith.maximumf %acc, %x : f32
        array.yield %larger : f32
      }
      %es = array.map (%x in %scores : [m]f32) {
        %s = arith.subf %x, %max fastmath<reassoc,contract> : f32
        %p = math.exp %s fastmath<reassoc,contract> : f32
        array.yield %p : f32
      }
      %sum = array.reduce (%es : [m]f32) init (%zero : f32) combine (%acc, %x) {
        %s = arith.addf %acc, %x fastmath<reassoc,contract> : f32
        array.yield %s : f32
      }
      %out = array.map (%column in %vt : [e][m]f16) {
        %dot = array.redomap (%x in %es : [m]f32, %y in %column : [m]f16) init (%zero : f32) map {
          %yy = arith.extf %y : f16 to f32
          %ab = arith.mulf %x, %yy fastmath<reassoc,contract> : f32
          array.yield %ab : f32
        } combine (%a, %b) {
          %ab = arith.addf %a, %b fastmath<reassoc,contract> : f32
          array.yield %ab : f32
        }
        %o = arith.divf %dot, %sum fastmath<reassoc,contract> : f32
        array.yield %o : f32
      }
      array.yield %out : [e]f32
    }
    array.yield %rows : [n][e]f32
  }
  func.return %r : !array.array<[h][n][e]f32>
}
