// run
// Several inputs and results: a heat step with a source, and the sum of what flows in; a maximum beside.
// inputs: random:140x300; random:140x300
// inputs: random:NxM; random:NxM where N = 0 1 2 19; M = 1 2 45
// numpy: n, m = u.shape
// numpy: i, j = np.arange(n), np.arange(m)
// numpy: low = lambda i, n: np.maximum(i - 1, 0)
// numpy: high = lambda i, n: np.minimum(i + 1, n - 1)
// numpy: flow = u[low(i, n)] + u[high(i, n)] + u[:, low(j, m)] + u[:, high(j, m)]
// numpy: before = np.pad(f, [(0, 0), (1, 0)])[:, :m]
// numpy: u + flow * np.float32(0.25) + f - before, np.maximum(flow, u).astype(np.float64)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%u: !array.array<[n][m]f32>, %f: !array.array<[n][m]f32>) -> (!array.array<[n][m]f32>, !array.array<[n][m]f64>) {
  %quarter = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %next, %most = array.stencil (%up, %left, %c, %right, %down in %u : [n][m]f32 at [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] clamp, %s, %t in %f : [n][m]f32 at [[0, 0], [0, -1]] constant %zero) {
    %a = arith.addf %up, %down : f32
    %b = arith.addf %a, %left : f32
    %flow = arith.addf %b, %right : f32
    %part = arith.mulf %flow, %quarter : f32
    %sum = arith.addf %c, %part : f32
    %more = arith.addf %sum, %s : f32
    %new = arith.subf %more, %t : f32
    %larger = arith.maximumf %flow, %c : f32
    %wide = arith.extf %larger : f32 to f64
    array.yield %new, %wide : f32, f64
  }
  func.return %next, %most : !array.array<[n][m]f32>, !array.array<[n][m]f64>
}
