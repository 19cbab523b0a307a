// run
// Largest and least of floats with NaN, infinities and both zeros: reduced, scanned, per bin, per row.
// inputs: [1.0, nan, -inf, 3.0, -0.0, 0.0, inf, -2.5]; [0, 1, 2, 0, 3, 3, 1, 4]
// inputs: [-0.0, -0.0]; [0, 0]
// inputs: [nan]; [1]
// inputs: [-1.0, -2.0, -3.0, -0.5, -inf, -7.0]; [0, 0, 1, 1, 2, 2]
// inputs: [inf, -inf, 1.0]; [0, 0, 0]
// inputs: random:N; random:N where N = 0 1 33 1000
// numpy: k = keys % 5
// numpy: bins = []
// numpy: for op, start in ((np.maximum, -np.inf), (np.minimum, np.inf), (np.add, 0)):
// numpy:     b = np.full(5, start, np.float32)
// numpy:     op.at(b, k, xs)
// numpy:     bins.append(b)
// numpy: n = len(xs)
// numpy: table = xs[None, :] - np.array([0, 1, 2], np.float32)[:, None]
// numpy: (np.maximum.reduce(xs, initial=-np.inf), np.minimum.reduce(xs, initial=np.inf), np.maximum.accumulate(xs), np.minimum.accumulate(xs), bins[0], bins[1], bins[2],
// numpy:     np.maximum.reduce(table, axis=1, initial=-np.inf), np.minimum.accumulate(table, axis=1), xs.sum())
// structure: kernel.seghist 1, kernel.segmap 3, kernel.segred 2, kernel.segscan 2
// versions: kernel.seghist 1, kernel.segmap 5, kernel.segred 3, kernel.segscan 3
func.func @main(%xs: !array.array<[n]f32>, %keys: !array.array<[n]i32>) -> (f32, f32, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[5]f32>, !array.array<[5]f32>, !array.array<[5]f32>, !array.array<[3]f32>, !array.array<[3][n]f32>, f32) {
  %c5_i32 = arith.constant 5 : i32
  %minf_f32 = arith.constant 0xFF800000 : f32
  %c5 = arith.constant 5 : index
  %cinf_f32 = arith.constant 0x7F800000 : f32
  %c0_f32 = arith.constant 0.0 : f32
  %0 = array.dim %xs, 0 : [n]f32
  %3 = array.map (%x in %keys : [n]i32) {
    %1 = arith.remui %x, %c5_i32 : i32
    %2 = arith.index_cast %1 : i32 to index
    array.yield %2 : index
  }
  %4 = array.replicate %minf_f32, [%c5] : f32 -> [5]f32
  %6 = array.hist (%i in %3 : [n]index, %x_1 in %xs : [n]f32) into (%4 : [5]f32) neutral (%minf_f32 : f32) map {
    array.yield %i, %x_1 : index, f32
  } combine (%a, %b) {
    %5 = arith.maximumf %a, %b : f32
    array.yield %5 : f32
  }
  %7 = array.replicate %cinf_f32, [%c5] : f32 -> [5]f32
  %9 = array.hist (%i_1 in %3 : [n]index, %x_2 in %xs : [n]f32) into (%7 : [5]f32) neutral (%cinf_f32 : f32) map {
    array.yield %i_1, %x_2 : index, f32
  } combine (%a_1, %b_1) {
    %8 = arith.minimumf %a_1, %b_1 : f32
    array.yield %8 : f32
  }
  %10 = array.replicate %c0_f32, [%c5] : f32 -> [5]f32
  %12 = array.hist (%i_2 in %3 : [n]index, %x_3 in %xs : [n]f32) into (%10 : [5]f32) neutral (%c0_f32 : f32) map {
    array.yield %i_2, %x_3 : index, f32
  } combine (%p, %q) {
    %11 = arith.addf %p, %q : f32
    array.yield %11 : f32
  }
  %13 = arith.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %14 = array.from_tensor %13 : tensor<3xf32>
  %17 = array.map (%d in %14 : [3]f32) {
    %16 = array.map (%x_4 in %xs : [n]f32) {
      %15 = arith.subf %x_4, %d : f32
      array.yield %15 : f32
    }
    array.yield %16 : !array.array<[n]f32>
  }
  %19 = array.reduce (%xs : [n]f32) init (%minf_f32 : f32) combine (%a_2, %b_2) {
    %18 = arith.maximumf %a_2, %b_2 : f32
    array.yield %18 : f32
  }
  %21 = array.reduce (%xs : [n]f32) init (%cinf_f32 : f32) combine (%a_3, %b_3) {
    %20 = arith.minimumf %a_3, %b_3 : f32
    array.yield %20 : f32
  }
  %23 = array.scan (%xs : [n]f32) init (%minf_f32 : f32) combine (%a_4, %b_4) {
    %22 = arith.maximumf %a_4, %b_4 : f32
    array.yield %22 : f32
  }
  %25 = array.scan (%xs : [n]f32) init (%cinf_f32 : f32) combine (%a_5, %b_5) {
    %24 = arith.minimumf %a_5, %b_5 : f32
    array.yield %24 : f32
  }
  %28 = array.map (%r in %17 : [3][n]f32) {
    %27 = array.reduce (%r : [n]f32) init (%minf_f32 : f32) combine (%a_6, %b_6) {
      %26 = arith.maximumf %a_6, %b_6 : f32
      array.yield %26 : f32
    }
    array.yield %27 : f32
  }
  %31 = array.map (%r_1 in %17 : [3][n]f32) {
    %30 = array.scan (%r_1 : [n]f32) init (%cinf_f32 : f32) combine (%a_7, %b_7) {
      %29 = arith.minimumf %a_7, %b_7 : f32
      array.yield %29 : f32
    }
    array.yield %30 : !array.array<[n]f32>
  }
  %33 = array.reduce (%xs : [n]f32) init (%c0_f32 : f32) combine (%p_1, %q_1) {
    %32 = arith.addf %p_1, %q_1 : f32
    array.yield %32 : f32
  }
  func.return %19, %21, %23, %25, %6, %9, %12, %28, %31, %33 : f32, f32, !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[5]f32>, !array.array<[5]f32>, !array.array<[5]f32>, !array.array<[3]f32>, !array.array<[3][n]f32>, f32
}
