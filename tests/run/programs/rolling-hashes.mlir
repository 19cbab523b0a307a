// run
// Hashes of all prefixes: a scan of affine functions modulo 2^32, pairs of numbers.
// inputs: [1, 2, 3]; [2, 0]
// inputs: random:N; [0] where N = 1 40 1500
// inputs: [1, 2]; [2]
// error: @array.gather@ ... index 2 is out of range
// inputs: []; [0]
// error: @array.gather@ ... index 0 is out of range
// inputs: [1, 2]; [0, -1]
// error: @array.gather@ ... index -1 is out of range
// numpy: h = np.zeros(len(xs), np.int64); s = 0
// numpy: for i, x in enumerate(xs):
// numpy:     s = (s * 31 + int(x)) % 2**32; h[i] = s
// numpy: h = h.astype(np.uint32).view(np.int32)
// numpy: h, h[at]
// structure: kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 1, kernel.segscan 1
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>, %at: !array.array<[q]index>) -> (!array.array<[n]i32>, !array.array<[q]i32>) {
  %v1 = arith.constant 1 : i32
  %v2 = arith.constant 0 : i32
  %v12, %v13 = array.scanomap (%v3 in %xs : [n]i32) init (%v1 : i32, %v2 : i32) map {
    %v4 = arith.constant 31 : i32
    array.yield %v4, %v3 : i32, i32
  } combine (%v5, %v6, %v7, %v8) {
    %v9 = arith.muli %v5, %v7 : i32
    %v10 = arith.muli %v6, %v7 : i32
    %v11 = arith.addi %v10, %v8 : i32
    array.yield %v9, %v11 : i32, i32
  }
  %v14 = array.gather %v13[%at] : [n]i32, [q]index
  func.return %v13, %v14 : !array.array<[n]i32>, !array.array<[q]i32>
}
