// run
// Escape times of a grid of complex numbers: a while loop in a nest of maps, in f64, counts in i16.
// inputs: [-2.0, -1.0, 0.0, 0.25, 0.5]; [-1.0, 0.0, 1.0]; 50
// inputs: []; [1.0]; 5
// inputs: [0.0]; [0.0]; 0
// inputs: [0.3, -0.7]; [0.2]; 300
// numpy: out = np.zeros((len(im), len(re)), np.int16)
// numpy: for i, y in enumerate(im):
// numpy:     for j, x in enumerate(re):
// numpy:         a = b = 0.0; k = 0
// numpy:         while a * a + b * b < 4 and k < most: a, b, k = a * a - b * b + x, a * b * 2 + y, k + 1
// numpy:         out[i, j] = k
// numpy: out
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%re: !array.array<[w]f64>, %im: !array.array<[h]f64>, %most: i16) -> !array.array<[h][w]i16> {
  %v32 = array.map (%v1 in %im : [h]f64) {
    %v31 = array.map (%v2 in %re : [w]f64) {
      %v3 = arith.constant 0.0 : f64
      %v4 = arith.constant 0 : i16
      %v28, %v29, %v30 = scf.while (%v5 = %v3, %v6 = %v3, %v7 = %v4) : (f64, f64, i16) -> (f64, f64, i16) {
        %v8 = arith.mulf %v5, %v5 : f64
        %v9 = arith.mulf %v6, %v6 : f64
        %v10 = arith.addf %v8, %v9 : f64
        %v11 = arith.constant 4.0 : f64
        %v12 = arith.cmpf olt, %v10, %v11 : f64
        %v13 = arith.cmpi slt, %v7, %most : i16
        %v14 = arith.andi %v12, %v13 : i1
        scf.condition(%v14) %v5, %v6, %v7 : f64, f64, i16
      } do {
      ^bb0(%v15: f64, %v16: f64, %v17: i16):
        %v18 = arith.mulf %v15, %v15 : f64
        %v19 = arith.mulf %v16, %v16 : f64
        %v20 = arith.subf %v18, %v19 : f64
        %v21 = arith.addf %v20, %v2 : f64
        %v22 = arith.mulf %v15, %v16 : f64
        %v23 = arith.constant 2.0 : f64
        %v24 = arith.mulf %v22, %v23 : f64
        %v25 = arith.addf %v24, %v1 : f64
        %v26 = arith.constant 1 : i16
        %v27 = arith.addi %v17, %v26 : i16
        scf.yield %v21, %v25, %v27 : f64, f64, i16
      }
      array.yield %v30 : i16
    }
    array.yield %v31 : [w]i16
  }
  func.return %v32 : !array.array<[h][w]i16>
}
