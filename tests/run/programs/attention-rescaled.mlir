// run
// As `attention-heads`, of sums that may be regrouped: in one version, tiles of scores are made and used by one kernel.
// inputs: [[[1.0, 0.0], [0.0, 1.0]]]; [[[1.0, 0.0], [0.0, 0.0]]]; [[[1.0, 2.0, 3.0], [5.0, 6.0, 7.0]]]
// outputs: [[[2.07576561, 3.07576561, 4.07576561], [3.0, 4.0, 5.0]]]
// inputs: random:HxNxD; random:HxMxD; random:HxMxE where H = 2; N = 65; M = 1 67 130; D = 5 33; E = 70
// structure: kernel.segmap 3, kernel.segred 1
// versions: kernel.segmap 8, kernel.segred 10
func.func @main(%q: !array.array<[h][n][d]f32>, %k: !array.array<[h][m][d]f32>, %v: !array.array<[h][m][e]f32>) -> !array.array<[h][n][e]f32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %r = array.map (%qh in %q : [h][n][d]f32, %kh in %k : [h][m][d]f32, %vh in %v : [h][m][e]f32) {
    %vt = array.rearrange %vh, [1, 0] : [m][e]f32
    %rows = array.map (%row in %qh : [n][d]f32) {
      %scores = array.map (%key in %kh : [m][d]f32) {
        %dot = array.redomap (%x in %row : [d]f32, %y in %key : [d]f32) init (%zero : f32) map arith.mulf combine arith.addf
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
      %out = array.map (%column in %vt : [e][m]f32) {
        %dot = array.redomap (%x in %es : [m]f32, %y in %column : [m]f32) init (%zero : f32) map {
          %ab = arith.mulf %x, %y fastmath<reassoc,contract> : f32
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
