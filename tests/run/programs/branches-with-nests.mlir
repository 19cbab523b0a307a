// run
// Branches in a map that have maps, reductions and scans in them, one by the row, one by its number.
// inputs: random:NxM where N = 0 1 2 9; M = 0 1 33
// numpy: n, m = xs.shape
// numpy: out = np.zeros((n, m))
// numpy: for i, r in enumerate(xs):
// numpy:     if r.sum() > m * 0.5:
// numpy:         out[i] = np.cumsum(r)
// numpy:     elif i % 2:
// numpy:         out[i] = r[::-1] * 2
// numpy:     else:
// numpy:         out[i] = r.sum()
// numpy: out
// versions: kernel.segmap 6, kernel.segred 2, kernel.segscan 2
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 0
func.func @main(%xs: !array.array<[n][m]f64>) -> !array.array<[n][m]f64> {
  %c0p5_f64 = arith.constant 0.5 : f64
  %c0_f64 = arith.constant 0.0 : f64
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c2_f64 = arith.constant 2.0 : f64
  %0 = array.dim %xs, 0 : [n][m]f64
  %1 = array.dim %xs, 1 : [n][m]f64
  %2 = array.iota %0 : [n]index
  %3 = arith.index_cast %1 : index to i32
  %4 = arith.sitofp %3 : i32 to f64
  %5 = arith.mulf %4, %c0p5_f64 : f64
  %19 = array.map (%i in %2 : [n]index, %r in %xs : [n][m]f64) {
    %7 = array.reduce (%r : [m]f64) init (%c0_f64 : f64) combine (%p, %q) {
      %6 = arith.addf %p, %q : f64
      array.yield %6 : f64
    }
    %8 = arith.cmpf ogt, %7, %5 : f64
    %18 = scf.if %8 -> (!array.array<[m]f64>) {
      %10 = array.scan (%r : [m]f64) init (%c0_f64 : f64) combine (%p_1, %q_1) {
        %9 = arith.addf %p_1, %q_1 : f64
        array.yield %9 : f64
      }
      scf.yield %10 : !array.array<[m]f64>
    } else {
      %11 = arith.remui %i, %c2 : index
      %12 = arith.cmpi eq, %11, %c1 : index
      %17 = scf.if %12 -> (!array.array<[m]f64>) {
        %13 = array.reverse %r, 0 : [m]f64
        %15 = array.map (%x in %13 : [m]f64) {
          %14 = arith.mulf %x, %c2_f64 : f64
          array.yield %14 : f64
        }
        scf.yield %15 : !array.array<[m]f64>
      } else {
        %16 = array.replicate %7, [%1] : f64 -> [m]f64
        scf.yield %16 : !array.array<[m]f64>
      }
      scf.yield %17 : !array.array<[m]f64>
    }
    array.yield %18 : !array.array<[m]f64>
  }
  func.return %19 : !array.array<[n][m]f64>
}
