// run
// Gaps (zeros) take the last number before them: a scan whose operator keeps the right operand unless it is zero.
// inputs: [[0, 3, 0, 0, -4, 0]]
// inputs: [[0, 0], [1, 0], [0, 1]]
// inputs: random:NxM where N = 0 1 5; M = 0 1 33 700
// numpy: xss = xss
// numpy: out = xss.copy()
// numpy: for j in range(1, xss.shape[1]):
// numpy:     out[:, j] = np.where(xss[:, j] == 0, out[:, j - 1], xss[:, j])
// numpy: last = out[:, -1] if xss.shape[1] else np.zeros(len(xss), np.int16)
// numpy: out, last
// structure: kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i16>) -> (!array.array<[n][m]i16>, !array.array<[n]i16>) {
  %v13, %v14 = array.map (%v1 in %xss : [n][m]i16) {
    %v2 = arith.constant 0 : i16
    %v7 = array.scan (%v1 : [m]i16) init (%v2 : i16) combine (%v3, %v4) {
      %v5 = arith.cmpi eq, %v4, %v2 : i16
      %v6 = arith.select %v5, %v3, %v4 : i16
      array.yield %v6 : i16
    }
    %v12 = array.reduce (%v1 : [m]i16) init (%v2 : i16) combine (%v8, %v9) {
      %v10 = arith.cmpi eq, %v9, %v2 : i16
      %v11 = arith.select %v10, %v8, %v9 : i16
      array.yield %v11 : i16
    }
    array.yield %v7, %v12 : [m]i16, i16
  }
  func.return %v13, %v14 : !array.array<[n][m]i16>, !array.array<[n]i16>
}
