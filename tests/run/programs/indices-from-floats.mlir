// run
// Indices made of floats: not-a-number is 0, what is too large is the largest index and out of range.
// inputs: [1.5, 0.2, 2.0]
// inputs: [nan, 1.0]
// inputs: [-0.5]
// inputs: []
// inputs: [inf]
// error: @array.index@ ... index 9223372036854775807 is out of range
// inputs: [-inf]
// error: @array.index@ ... index -9223372036854775808 is out of range
// inputs: [0.0, 2.0]
// error: @array.index@ ... index 2 is out of range
// inputs: [-1.0]
// error: @array.index@ ... index -1 is out of range
// numpy: xs[np.nan_to_num(xs, nan=0).astype(np.int64)]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %v5 = array.map (%v1 in %xs : [n]f32) {
    %v2 = arith.fptosi %v1 : f32 to i64
    %v3 = arith.index_cast %v2 : i64 to index
    %v4 = array.index %xs[%v3] : [n]f32
    array.yield %v4 : f32
  }
  func.return %v5 : !array.array<[n]f32>
}
