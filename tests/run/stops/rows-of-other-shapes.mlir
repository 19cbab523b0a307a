// run
// Arrays that are joined have rows of one shape, and a row put into a matrix is as long as those there.
// inputs: [[1, 2], [3, 4]]; [[5, 6]]; [7, 8]; 1
// outputs: [[1, 2], [3, 4], [5, 6]]; [[1, 2], [7, 8]]; [14, 17]
// inputs: [[1, 2], [3, 4]]; [[5]]; [7, 8]; 1
// error: @array.concat@ ... 'array.concat' op array #0 has extent 2 in dimension 1, but array #1 has 1
// inputs: [[1, 2], [3, 4]]; [[5, 6, 7]]; [7, 8]; 1
// error: @array.concat@ ... 'array.concat' op array #0 has extent 2 in dimension 1, but array #1 has 3
// inputs: [[1, 2], [3, 4]]; [[5, 6]]; [7]; 1
// error: @%u = array.update@ ... 'array.update' op the value has extent 1 in dimension 0, but the array has 2 in dimension 1
// inputs: [[1, 2], [3, 4]]; [[5, 6]]; [7, 8, 9]; 0
// error: @%u = array.update@ ... 'array.update' op the value has extent 3 in dimension 0, but the array has 2 in dimension 1
// inputs: [[1, 2], [3, 4]]; [[5, 6]]; [7, 8]; 2
// error: @%u = array.update@ ... 'array.update' op index 2 is out of range for dimension 0 of [n][?]i32, which has 2
// structure: kernel.segmap 2
// shapes: 2
// versions: kernel.segmap 6, kernel.segred 1, kernel.segscan 3
func.func @main(%xs: !array.array<[n][?]i32>, %ys: !array.array<[m][?]i32>, %row: !array.array<[?]i32>, %at: index) -> (!array.array<[?][?]i32>, !array.array<[n][?]i32>, !array.array<[?]i32>) {
  %r = array.concat %xs, %ys : [n][?]i32, [m][?]i32 -> [?][?]i32
  %u = array.update %row, %xs[%at] : [?]i32, [n][?]i32
  %zero = arith.constant 0 : i32
  %zeroth = arith.constant 0 : index
  %k = array.dim %row, 0 : [?]i32
  %is = array.iota %k : [?]index
  %m = array.dim %ys, 0 : [m][?]i32
  %sums = array.map (%i in %is : [?]index) {
    %x = array.index %row[%i] : [?]i32
    %wide = arith.addi %m, %i : index
    %none = array.replicate %zero, [%m, %wide] : i32 -> [?][?]i32
    %part = array.iota %wide : [?]i32
    %put = array.update %part, %none[%zeroth] : [?]i32, [?][?]i32
    %flat = array.index %put[%zeroth] : [?][?]i32
    %s = array.reduce (%flat : [?]i32) init (%zero : i32) combine arith.addi
    %twice = arith.addi %x, %x : i32
    %v = arith.addi %s, %twice : i32
    array.yield %v : i32
  }
  func.return %r, %u, %sums : !array.array<[?][?]i32>, !array.array<[n][?]i32>, !array.array<[?]i32>
}
