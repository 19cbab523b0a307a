// run
// Forces among all pairs in three components, softened; one step of positions and velocities.
// inputs: random:N; random:N; random:N; random:N; 0.5 where N = 0 1 2 33 130
// numpy: dx = xs[None, :] - xs[:, None]; dy = ys[None, :] - ys[:, None]
// numpy: r = dx * dx + dy * dy + 1; w = r * np.sqrt(r)
// numpy: u = vx + (dx / w).sum(1) * dt; v = vy + (dy / w).sum(1) * dt
// numpy: xs + u * dt, ys + v * dt, u, v
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%xs: !array.array<[n]f64>, %ys: !array.array<[n]f64>, %vx: !array.array<[n]f64>, %vy: !array.array<[n]f64>, %dt: f64) -> (!array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>) {
  %v37, %v38, %v39, %v40 = array.map (%v1 in %xs : [n]f64, %v2 in %ys : [n]f64, %v3 in %vx : [n]f64, %v4 in %vy : [n]f64) {
    %v5 = arith.constant 0.0 : f64
    %v27, %v28 = array.redomap (%v6 in %xs : [n]f64, %v7 in %ys : [n]f64) init (%v5 : f64, %v5 : f64) map {
      %v8 = arith.subf %v6, %v1 : f64
      %v9 = arith.subf %v7, %v2 : f64
      %v10 = arith.mulf %v8, %v8 : f64
      %v11 = arith.mulf %v9, %v9 : f64
      %v12 = arith.addf %v10, %v11 : f64
      %v13 = arith.constant 1.0 : f64
      %v14 = arith.addf %v12, %v13 : f64
      %v15 = math.sqrt %v14 : f64
      %v16 = arith.mulf %v14, %v15 : f64
      %v17 = arith.divf %v8, %v16 : f64
      %v18 = math.sqrt %v14 : f64
      %v19 = arith.mulf %v14, %v18 : f64
      %v20 = arith.divf %v9, %v19 : f64
      array.yield %v17, %v20 : f64, f64
    } combine (%v21, %v22, %v23, %v24) {
      %v25 = arith.addf %v21, %v23 : f64
      %v26 = arith.addf %v22, %v24 : f64
      array.yield %v25, %v26 : f64, f64
    }
    %v29 = arith.mulf %v27, %dt : f64
    %v30 = arith.addf %v3, %v29 : f64
    %v31 = arith.mulf %v28, %dt : f64
    %v32 = arith.addf %v4, %v31 : f64
    %v33 = arith.mulf %v30, %dt : f64
    %v34 = arith.addf %v1, %v33 : f64
    %v35 = arith.mulf %v32, %dt : f64
    %v36 = arith.addf %v2, %v35 : f64
    array.yield %v34, %v36, %v30, %v32 : f64, f64, f64, f64
  }
  func.return %v37, %v38, %v39, %v40 : !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>
}
