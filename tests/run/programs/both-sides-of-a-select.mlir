// run
// A select evaluates both sides, a branch only one: the first stops where either index is out of range.
// inputs: [1, 2, 3]; [2, 1]; true
// inputs: [1, 2]; [1]; false
// inputs: []; []; true
// inputs: [1, 2]; [5]; false
// error: @array.index %xs[%v@ ... index 5 is out of range
// inputs: [1, 2]; [0, -1]; true
// error: @array.index %xs[%v@ ... index -1 is out of range
// numpy: a = xs[at] if w else np.full(len(at), xs[0] if len(xs) else 0, np.int32)
// numpy: a, a
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 6
func.func @main(%xs: !array.array<[n]i32>, %at: !array.array<[m]index>, %w: i1) -> (!array.array<[m]i32>, !array.array<[m]i32>) {
  %v6 = array.map (%v1 in %at : [m]index) {
    %v2 = array.index %xs[%v1] : [n]i32
    %v3 = arith.constant 0 : index
    %v4 = array.index %xs[%v3] : [n]i32
    %v5 = arith.select %w, %v2, %v4 : i32
    array.yield %v5 : i32
  }
  %v12 = array.map (%v7 in %at : [m]index) {
    %v11 = scf.if %w -> (i32) {
      %v8 = array.index %xs[%v7] : [n]i32
      scf.yield %v8 : i32
    } else {
      %v9 = arith.constant 0 : index
      %v10 = array.index %xs[%v9] : [n]i32
      scf.yield %v10 : i32
    }
    array.yield %v11 : i32
  }
  func.return %v6, %v12 : !array.array<[m]i32>, !array.array<[m]i32>
}
