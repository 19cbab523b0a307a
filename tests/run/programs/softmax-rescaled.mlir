// run
// Row softmax and the logarithm of the sum of exponentials, whose sums may be regrouped.
// numpy: m = xss.max(1, keepdims=True, initial=-np.inf); e = np.exp(xss - m); t = e.sum(1, keepdims=True)
// numpy: e / t, (m + np.log(t))[:, 0]
// inputs: [[1.0, 2.0, 3.0], [-1000.0, 0.0, 1000.0]]
// inputs: random:NxM where N = 0 1 5; M = 1 2 7 33 257
// structure: kernel.segmap 2, kernel.segred 2
// versions: kernel.segmap 5, kernel.segred 4
func.func @main(%xss: !array.array<[n][m]f32>) -> (!array.array<[n][m]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %r:2 = array.map (%row in %xss : [n][m]f32) {
    %max = array.reduce (%row : [m]f32) init (%lowest : f32) combine arith.maximumf
    %es = array.map (%x in %row : [m]f32) {
      %s = arith.subf %x, %max fastmath<reassoc> : f32
      %p = math.exp %s fastmath<reassoc> : f32
      array.yield %p : f32
    }
    %sum = array.reduce (%es : [m]f32) init (%zero : f32) combine (%acc, %x) {
      %s = arith.addf %acc, %x fastmath<reassoc> : f32
      array.yield %s : f32
    }
    %out = array.map (%e in %es : [m]f32) {
      %o = arith.divf %e, %sum : f32
      array.yield %o : f32
    }
    %log = math.log %sum : f32
    %total = arith.addf %max, %log : f32
    array.yield %out, %total : [m]f32, f32
  }
  func.return %r#0, %r#1 : !array.array<[n][m]f32>, !array.array<[n]f32>
}
