// run
// A softmax of the rows of a matrix product, divided by its sums before the next product takes it.
// inputs: random:NxD; random:MxD; random:MxE; 0.25 where N = 100; M = 0 64 127; D = 3 64; E = 65
// structure: kernel.segmap 3, kernel.segred 2
// versions: kernel.segmap 10, kernel.segred 10
func.func @main(%q: !array.array<[n][d]f32>, %k: !array.array<[m][d]f32>, %v: !array.array<[m][e]f32>, %scale: f32) -> !array.array<[n][e]f32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scores = array.map (%row in %q : [n][d]f32) {
    %ss = array.map (%key in %k : [m][d]f32) {
      %dot = array.redomap (%x in %row : [d]f32, %y in %key : [d]f32) init (%zero : f32) map arith.mulf combine arith.addf
      %s = arith.mulf %dot, %scale : f32
      array.yield %s : f32
    }
    array.yield %ss : [m]f32
  }
  %ps = array.map (%row in %scores : [n][m]f32) {
      %max = array.reduce (%row : [m]f32) init (%lowest : f32) combine (%acc, %x) {
        %larger = arith.maximumf %acc, %x : f32
        array.yield %larger : f32
      }
      %es = array.map (%x in %row : [m]f32) {
        %s = arith.subf %x, %max fastmath<reassoc,contract> : f32
        %p = math.exp %s fastmath<reassoc,contract> : f32
        array.yield %p : f32
      }
      %sum = array.reduce (%es : [m]f32) init (%zero : f32) combine (%acc, %x) {
        %s = arith.addf %acc, %x fastmath<reassoc,contract> : f32
        array.yield %s : f32
      }
      %qs = array.map (%x in %es : [m]f32) {
        %p = arith.divf %x, %sum fastmath<reassoc,contract> : f32
        array.yield %p : f32
      }
      array.yield %qs : [m]f32
  }
  %vt = array.rearrange %v, [1, 0] : [m][e]f32
  %r = array.map (%p in %ps : [n][m]f32) {
      %out = array.map (%column in %vt : [e][m]f32) {
        %dot = array.redomap (%x in %p : [m]f32, %y in %column : [m]f32) init (%zero : f32) map {
          %ab = arith.mulf %x, %y fastmath<reassoc,contract> : f32
          array.yield %ab : f32
        } combine (%a, %b) {
          %ab = arith.addf %a, %b fastmath<reassoc,contract> : f32
          array.yield %ab : f32
        }
        array.yield %dot : f32
      }
      array.yield %out : [e]f32
  }
  func.return %r : !array.array<[n][e]f32>
}
