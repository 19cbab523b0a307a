// run
// Euclid in a while loop in a map, then of all by a reduction with a loop in its operator.
// inputs: [12, 18, 7]; [8, 27, 0]
// inputs: []; []
// inputs: [100, 75, 35]; [10, 5, 0]
// numpy: m = np.gcd(xs % 1000, ys % 1000) if False else None
// numpy: def e(a, b):
// numpy:     a, b = int(a), int(b)
// numpy:     while b: a, b = b, int(np.fmod(a, b))
// numpy:     return a
// numpy: g = np.array([e(x, y) for x, y in zip(xs, ys)], np.int32)
// numpy: t = 0
// numpy: for v in g: t = e(t, v)
// numpy: g, np.int32(t)
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>) -> (!array.array<[n]i32>, i32) {
  %v12 = array.map (%v1 in %xs : [n]i32, %v2 in %ys : [n]i32) {
    %v10, %v11 = scf.while (%v3 = %v1, %v4 = %v2) : (i32, i32) -> (i32, i32) {
      %v5 = arith.constant 0 : i32
      %v6 = arith.cmpi ne, %v4, %v5 : i32
      scf.condition(%v6) %v3, %v4 : i32, i32
    } do {
    ^bb0(%v7: i32, %v8: i32):
      %v9 = arith.remsi %v7, %v8 : i32
      scf.yield %v8, %v9 : i32, i32
    }
    array.yield %v10 : i32
  }
  %v13 = arith.constant 0 : i32
  %v24 = array.reduce (%v12 : [n]i32) init (%v13 : i32) neutral (%v13 : i32) combine (%v14, %v15) {
    %v22, %v23 = scf.while (%v16 = %v14, %v17 = %v15) : (i32, i32) -> (i32, i32) {
      %v18 = arith.cmpi ne, %v17, %v13 : i32
      scf.condition(%v18) %v16, %v17 : i32, i32
    } do {
    ^bb0(%v19: i32, %v20: i32):
      %v21 = arith.remsi %v19, %v20 : i32
      scf.yield %v20, %v21 : i32, i32
    }
    array.yield %v22 : i32
  }
  func.return %v12, %v24 : !array.array<[n]i32>, i32
}
