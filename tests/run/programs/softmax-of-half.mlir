// run
// Rows of f16 scaled by their largest, exponentials summed in f32.
// inputs: random:NxM where N = 0 1 5; M = 1 32 300
// numpy: y = (x - x.max(1, keepdims=True, initial=-60000)).astype(np.float32)
// numpy: e = np.exp(y); (e / e.sum(1, keepdims=True)).astype(np.float32)
// structure: kernel.segmap 1, kernel.segred 2
// versions: kernel.segmap 4, kernel.segred 4
func.func @main(%x: !array.array<[n][m]f16>) -> !array.array<[n][m]f32> {
  %v1 = arith.constant -60000.0 : f16
  %v20 = array.map (%v2 in %x : [n][m]f16) {
    %v6 = array.reduce (%v2 : [m]f16) init (%v1 : f16) combine (%v3, %v4) {
      %v5 = arith.maximumf %v3, %v4 : f16
      array.yield %v5 : f16
    }
    %v11 = array.map (%v7 in %v2 : [m]f16) {
      %v8 = arith.subf %v7, %v6 : f16
      %v9 = arith.extf %v8 : f16 to f32
      %v10 = math.exp %v9 : f32
      array.yield %v10 : f32
    }
    %v12 = arith.constant 0.0 : f32
    %v16 = array.reduce (%v11 : [m]f32) init (%v12 : f32) combine (%v13, %v14) {
      %v15 = arith.addf %v13, %v14 : f32
      array.yield %v15 : f32
    }
    %v19 = array.map (%v17 in %v11 : [m]f32) {
      %v18 = arith.divf %v17, %v16 : f32
      array.yield %v18 : f32
    }
    array.yield %v19 : [m]f32
  }
  func.return %v20 : !array.array<[n][m]f32>
}
