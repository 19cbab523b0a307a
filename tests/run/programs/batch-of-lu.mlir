// run
// LU decompositions in place without pivots, three loops deep in a map, by updates of two indices.
// inputs: random:BxNxN where B = 0 1 4; N = 1 2 5
// given: the work grows with the cube of the size
// numpy: out = []
// numpy: for x in a:
// numpy:     l = x + 4 * np.eye(len(x))
// numpy:     n = len(x)
// numpy:     for k in range(n):
// numpy:         for i in range(k + 1, n):
// numpy:             l[i, k] = l[i, k] / l[k, k]
// numpy:             for j in range(k + 1, n):
// numpy:                 l[i, j] -= l[i, k] * l[k, j]
// numpy:     out.append(l)
// numpy: np.array(out).reshape(a.shape)
// structure: kernel.segmap 2
// versions: kernel.segmap 6
func.func @main(%a: !array.array<[b][n][n]f64>) -> !array.array<[b][n][n]f64> {
  %c4_f64 = arith.constant 4.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = array.dim %a, 1 : [b][n][n]f64
  %1 = array.iota %0 : [n]index
  %20 = array.map (%x in %a : [b][n][n]f64) {
    %5 = array.map (%i in %1 : [n]index, %r in %x : [n][n]f64) {
      %2 = array.index %r[%i] : [n]f64
      %3 = arith.addf %2, %c4_f64 : f64
      %4 = array.update %3, %r[%i] : f64, [n]f64
      array.yield %4 : !array.array<[n]f64>
    }
    %19 = scf.for %k = %c0 to %0 step %c1 iter_args(%l = %5) -> (!array.array<[n][n]f64>) {
      %6 = arith.addi %k, %c1 : index
      %18 = scf.for %i_1 = %6 to %0 step %c1 iter_args(%l_1 = %l) -> (!array.array<[n][n]f64>) {
        %7 = array.index %l_1[%i_1, %k] : [n][n]f64
        %8 = array.index %l_1[%k, %k] : [n][n]f64
        %9 = arith.divf %7, %8 : f64
        %10 = array.update %9, %l_1[%i_1, %k] : f64, [n][n]f64
        %11 = arith.addi %k, %c1 : index
        %17 = scf.for %j = %11 to %0 step %c1 iter_args(%l_2 = %10) -> (!array.array<[n][n]f64>) {
          %12 = array.index %l_2[%i_1, %j] : [n][n]f64
          %13 = array.index %l_2[%k, %j] : [n][n]f64
          %14 = arith.mulf %9, %13 : f64
          %15 = arith.subf %12, %14 : f64
          %16 = array.update %15, %l_2[%i_1, %j] : f64, [n][n]f64
          scf.yield %16 : !array.array<[n][n]f64>
        }
        scf.yield %17 : !array.array<[n][n]f64>
      }
      scf.yield %18 : !array.array<[n][n]f64>
    }
    array.yield %19 : !array.array<[n][n]f64>
  }
  func.return %20 : !array.array<[b][n][n]f64>
}
