// run
// Sizes for another number of elements, a negative one or a product that wraps stop the program, at top level and in rows.
// inputs: [[1, 2, 3, 4], [5, 6, 7, 8]]; 2; 2; 8
// outputs: [[2, 4], [6, 8]]; [1, 2, 3, 4, 5, 6, 7, 8]
// inputs: [[1, 2, 3, 4], [5, 6, 7, 8]]; 2; 3; 8
// error: :21:14: ... 'array.reshape' op the 4 elements of [m]i32 are not as many as the new sizes have
// inputs: [[1, 2, 3, 4], [5, 6, 7, 8]]; -2; -2; 8
// error: :21:14: ... 'array.reshape' op a size cannot be -2
// inputs: [[1, 2, 3, 4], [5, 6, 7, 8]]; 6148914691236517206; 6; 8
// error: :21:14: ... 'array.reshape' op the 4 elements of [m]i32 are not as many as the new sizes have
// inputs: [[1, 2, 3, 4], [5, 6, 7, 8]]; 2; 2; 7
// error: :19:11: ... 'array.reshape' op the 8 elements of [n][m]i32 are not as many as the new sizes have
// inputs: random:0x4; 3; 3; 0
// shapes: 0
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]i32>, %a: index, %b: index, %k: index) -> (!array.array<[n][?]i32>, !array.array<[?]i32>) {
  %last = arith.constant 1 : index
  %flat = array.reshape %xss, [%k] : [n][m]i32 -> [?]i32
  %r = array.map (%xs in %xss : [n][m]i32) {
    %table = array.reshape %xs, [%a, %b] : [m]i32 -> [?][?]i32
    %ends = array.map (%row in %table : [?][?]i32) {
      %e = array.index %row[%last] : [?]i32
      array.yield %e : i32
    }
    array.yield %ends : [?]i32
  }
  func.return %r, %flat : !array.array<[n][?]i32>, !array.array<[?]i32>
}
