// run
// One function of sums over windows, called with arrays of three sizes.
// inputs: [1, 2, 3]; [4, 5]; 2
// inputs: [1, 2, 3]; [4, 5]; 0
// inputs: random:N; random:40; 7 where N = 7 50
// inputs: [1, 2, 3]; [4]; 3
// error: @array.iota@ ... a size cannot be -1
// inputs: [1, 2, 3]; [4, 5]; -1
// error: @array.slice@ ... a size cannot be -1
// numpy: w = lambda v: np.array([v[i:i + k].sum() for i in range(len(v) - k + 1)], np.int32)
// numpy: w(xs), w(ys), w(np.concatenate([xs, ys]))
// structure: kernel.segmap 3, kernel.segred 3
// versions: kernel.segmap 9, kernel.segred 6
// shapes: 5
func.func private @window(%xs: !array.array<[p]i32>, %k: index) -> !array.array<[?]i32> {
  %v1 = array.dim %xs, 0 : [p]i32
  %v2 = arith.subi %v1, %k : index
  %v3 = arith.constant 1 : index
  %v4 = arith.addi %v2, %v3 : index
  %v5 = array.iota %v4 : [?]index
  %v13 = array.map (%v6 in %v5 : [?]index) {
    %v7 = array.slice %xs[%v6] sizes [%k] strides [%v3] : [p]i32 -> [?]i32
    %v8 = arith.constant 0 : i32
    %v12 = array.reduce (%v7 : [?]i32) init (%v8 : i32) combine (%v9, %v10) {
      %v11 = arith.addi %v9, %v10 : i32
      array.yield %v11 : i32
    }
    array.yield %v12 : i32
  }
  func.return %v13 : !array.array<[?]i32>
}
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>, %k: index) -> (!array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?]i32>) {
  %v1 = func.call @window(%xs, %k) : (!array.array<[n]i32>, index) -> !array.array<[?]i32>
  %v2 = func.call @window(%ys, %k) : (!array.array<[m]i32>, index) -> !array.array<[?]i32>
  %v3 = array.concat %xs, %ys : [n]i32, [m]i32 -> [?]i32
  %v4 = func.call @window(%v3, %k) : (!array.array<[?]i32>, index) -> !array.array<[?]i32>
  func.return %v1, %v2, %v4 : !array.array<[?]i32>, !array.array<[?]i32>, !array.array<[?]i32>
}
