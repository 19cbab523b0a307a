// run
// A hash of 32-bit words: shifts by data (beyond the width too), rotations, unsigned division, then XOR of all.
// inputs: [1, -1, 123456, 7]; [0, 5, 31, 100]
// inputs: [5]; [-1]
// inputs: []; []
// inputs: random:N; random:N where N = 1 40 700
// numpy: u = xs.view(np.uint32).astype(np.uint64); M = np.uint64(2**32 - 1); b = by.view(np.uint32).astype(np.uint64)
// numpy: h = u ^ (u >> np.uint64(16)); h = h * np.uint64(2246822507) & M; h = h ^ (h >> np.uint64(13))
// numpy: k = b & np.uint64(31); r = (h << k & M) | np.where(k == 0, 0, h >> np.where(k == 0, 0, np.uint64(32) - k))
// numpy: d = b | np.uint64(1)
// numpy: big = b >= 32
// numpy: sh = np.where(big, 0, u << np.where(big, 0, b) & M)
// numpy: sa = np.where(big, np.where(xs < 0, -1, 0), xs.astype(np.int64) >> np.where(big, 0, b).astype(np.int64)).astype(np.int64).astype(np.uint64) & M
// numpy: o = (r // d ^ r % d ^ sh ^ sa).astype(np.uint32).view(np.int32)
// numpy: o, np.bitwise_xor.reduce(o)
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>, %by: !array.array<[n]i32>) -> (!array.array<[n]i32>, i32) {
  %v29 = array.map (%v1 in %xs : [n]i32, %v2 in %by : [n]i32) {
    %v3 = arith.constant 16 : i32
    %v4 = arith.shrui %v1, %v3 : i32
    %v5 = arith.xori %v1, %v4 : i32
    %v6 = arith.constant -2048144789 : i32
    %v7 = arith.muli %v5, %v6 : i32
    %v8 = arith.constant 13 : i32
    %v9 = arith.shrui %v7, %v8 : i32
    %v10 = arith.xori %v7, %v9 : i32
    %v11 = arith.constant 31 : i32
    %v12 = arith.andi %v2, %v11 : i32
    %v13 = arith.shli %v10, %v12 : i32
    %v14 = arith.andi %v2, %v11 : i32
    %v15 = arith.constant 32 : i32
    %v16 = arith.subi %v15, %v14 : i32
    %v17 = arith.shrui %v10, %v16 : i32
    %v18 = arith.ori %v13, %v17 : i32
    %v19 = arith.constant 1 : i32
    %v20 = arith.ori %v2, %v19 : i32
    %v21 = arith.divui %v18, %v20 : i32
    %v22 = arith.ori %v2, %v19 : i32
    %v23 = arith.remui %v18, %v22 : i32
    %v24 = arith.xori %v21, %v23 : i32
    %v25 = arith.shli %v1, %v2 : i32
    %v26 = arith.xori %v24, %v25 : i32
    %v27 = arith.shrsi %v1, %v2 : i32
    %v28 = arith.xori %v26, %v27 : i32
    array.yield %v28 : i32
  }
  %v30 = arith.constant 0 : i32
  %v34 = array.reduce (%v29 : [n]i32) init (%v30 : i32) combine (%v31, %v32) {
    %v33 = arith.xori %v31, %v32 : i32
    array.yield %v33 : i32
  }
  func.return %v29, %v34 : !array.array<[n]i32>, i32
}
