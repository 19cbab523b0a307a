// run
// A Fourier transform of a power of two by stages on the host, twiddles computed in the map.
// inputs: [1.0, 2.0, 0.0, -1.0]; [0.0, 0.0, 1.0, 0.0]; 2
// inputs: [3.0]; [1.0]; 0
// given: as many stages as the length has bits
// numpy: f = np.fft.fft(re + 1j * im)
// numpy: f.real.copy(), f.imag.copy()
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%re: !array.array<[n]f64>, %im: !array.array<[n]f64>, %stages: index) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
  %v1 = array.dim %re, 0 : [n]f64
  %v2 = array.iota %v1 : [n]index
  %v3 = arith.constant 2 : index
  %v4 = arith.divui %v1, %v3 : index
  %v5 = arith.constant 0 : index
  %v6 = arith.constant 1 : index
  %v48, %v49 = scf.for %v7 = %v5 to %stages step %v6 iter_args(%v8 = %re, %v9 = %im) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
    %v10 = arith.shli %v6, %v7 : index
    %v46, %v47 = array.map (%v11 in %v2 : [n]index) {
      %v12 = arith.remui %v11, %v10 : index
      %v13 = arith.divui %v11, %v10 : index
      %v14 = arith.remui %v13, %v3 : index
      %v15 = arith.divui %v13, %v3 : index
      %v16 = arith.muli %v15, %v10 : index
      %v17 = arith.addi %v16, %v12 : index
      %v18 = arith.addi %v17, %v4 : index
      %v19 = arith.muli %v15, %v10 : index
      %v20 = arith.index_cast %v19 : index to i64
      %v21 = arith.sitofp %v20 : i64 to f64
      %v22 = arith.constant -6.283185307179586 : f64
      %v23 = arith.mulf %v21, %v22 : f64
      %v24 = arith.index_cast %v1 : index to i64
      %v25 = arith.sitofp %v24 : i64 to f64
      %v26 = arith.divf %v23, %v25 : f64
      %v27 = math.cos %v26 : f64
      %v28 = math.sin %v26 : f64
      %v29 = array.index %v8[%v17] : [n]f64
      %v30 = array.index %v9[%v17] : [n]f64
      %v31 = array.index %v8[%v18] : [n]f64
      %v32 = array.index %v9[%v18] : [n]f64
      %v33 = arith.subf %v29, %v31 : f64
      %v34 = arith.subf %v30, %v32 : f64
      %v35 = arith.cmpi eq, %v14, %v5 : index
      %v36 = arith.addf %v29, %v31 : f64
      %v37 = arith.mulf %v33, %v27 : f64
      %v38 = arith.mulf %v34, %v28 : f64
      %v39 = arith.subf %v37, %v38 : f64
      %v40 = arith.select %v35, %v36, %v39 : f64
      %v41 = arith.addf %v30, %v32 : f64
      %v42 = arith.mulf %v33, %v28 : f64
      %v43 = arith.mulf %v34, %v27 : f64
      %v44 = arith.addf %v42, %v43 : f64
      %v45 = arith.select %v35, %v41, %v44 : f64
      array.yield %v40, %v45 : f64, f64
    }
    scf.yield %v46, %v47 : !array.array<[n]f64>, !array.array<[n]f64>
  }
  func.return %v48, %v49 : !array.array<[n]f64>, !array.array<[n]f64>
}
