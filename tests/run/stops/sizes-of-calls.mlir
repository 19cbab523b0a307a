// run
// Parameters of a function that have a size in common are given arrays of one extent, on the host and in a map.
// inputs: [1, 2]; [3, 4]; [2]
// outputs: 4; [4]
// inputs: [1, 2]; [3, 4, 5]; [2]
// error: @%r = func.call@ ... 'func.call' op size `p` is 2 in dimension 0 of operand #0, but 3 in dimension 0 of operand #1
// inputs: [1, 2]; [3, 4]; [2, 1]
// error: @%t = func.call@ ... 'func.call' op size `p` is 2 in dimension 0 of operand #0, but 1 in dimension 0 of operand #1
// inputs: []; []; []
// outputs: 0; []
// structure: kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 1
func.func private @square(%xs: !array.array<[p]i32>, %ys: !array.array<[p]i32>) -> index {
  %a = array.dim %xs, 0 : [p]i32
  %b = array.dim %ys, 0 : [p]i32
  %c = arith.muli %a, %b : index
  func.return %c : index
}
func.func @main(%xs: !array.array<[?]i32>, %ys: !array.array<[?]i32>, %ks: !array.array<[n]index>) -> (index, !array.array<[n]index>) {
  %r = func.call @square(%xs, %ys) : (!array.array<[?]i32>, !array.array<[?]i32>) -> index
  %ts = array.map (%k in %ks : [n]index) {
    %is = array.iota %k : [?]i32
    %t = func.call @square(%xs, %is) : (!array.array<[?]i32>, !array.array<[?]i32>) -> index
    array.yield %t : index
  }
  func.return %r, %ts : index, !array.array<[n]index>
}
