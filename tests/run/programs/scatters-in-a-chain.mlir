// run
// Scatters into what scatters made, with indices out of range left out, rows of bytes, and the same in a map.
// inputs: random:K; random:N; random:RxN where K = 0 1 40; N = 1 2 33; R = 0 1 3
// numpy: def chain(x):
// numpy:     x = x.copy()
// numpy:     for i in at - 20:
// numpy:         if 0 <= i < len(x):
// numpy:             x[i] = i % 100
// numpy:     for i in at - 10:
// numpy:         if 0 <= i < len(x):
// numpy:             x[i] = -5
// numpy:     return x
// numpy: chain(xs), np.stack([chain(r) for r in rows]) if len(rows) else rows
// versions: kernel.segmap 3
// structure: none 0
func.func @main(%at: !array.array<[k]i32>, %xs: !array.array<[n]i8>, %rows: !array.array<[r][n]i8>) -> (!array.array<[n]i8>, !array.array<[r][n]i8>) {
  %c20_i32 = arith.constant 20 : i32
  %c100_i32 = arith.constant 100 : i32
  %c10_i32 = arith.constant 10 : i32
  %m5_i8 = arith.constant -5 : i8
  %4 = array.scatter (%i in %at : [k]i32) into (%xs : [n]i8) {
    %0 = arith.subi %i, %c20_i32 : i32
    %1 = arith.index_cast %0 : i32 to index
    %2 = arith.remui %0, %c100_i32 : i32
    %3 = arith.trunci %2 : i32 to i8
    array.yield %1, %3 : index, i8
  }
  %7 = array.scatter (%i_1 in %at : [k]i32) into (%4 : [n]i8) {
    %5 = arith.subi %i_1, %c10_i32 : i32
    %6 = arith.index_cast %5 : i32 to index
    array.yield %6, %m5_i8 : index, i8
  }
  %16 = array.map (%x in %rows : [r][n]i8) {
    %12 = array.scatter (%i_2 in %at : [k]i32) into (%x : [n]i8) {
      %8 = arith.subi %i_2, %c20_i32 : i32
      %9 = arith.index_cast %8 : i32 to index
      %10 = arith.remui %8, %c100_i32 : i32
      %11 = arith.trunci %10 : i32 to i8
      array.yield %9, %11 : index, i8
    }
    %15 = array.scatter (%i_3 in %at : [k]i32) into (%12 : [n]i8) {
      %13 = arith.subi %i_3, %c10_i32 : i32
      %14 = arith.index_cast %13 : i32 to index
      array.yield %14, %m5_i8 : index, i8
    }
    array.yield %15 : !array.array<[n]i8>
  }
  func.return %7, %16 : !array.array<[n]i8>, !array.array<[r][n]i8>
}
