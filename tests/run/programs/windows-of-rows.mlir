// run
// Windows of each row by a function that asks its row how long it is: extents that only the body of a map computes.
// inputs: [[1, 2, 3, 4], [4, 3, 2, 1]]; 2
// outputs: [[2, 3, 4], [4, 3, 2]]
// inputs: random:NxM; 3 where N = 1 5; M = 3 31 1025
// structure: kernel.segmap 1
// shapes: 6
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>, %width: index) -> !array.array<[n][?]i32> {
  %r = array.map (%xs in %xss : [n][m]i32) {
    %ys = func.call @maxima(%xs, %width) : (!array.array<[m]i32>, index) -> !array.array<[?]i32>
    array.yield %ys : [?]i32
  }
  func.return %r : !array.array<[n][?]i32>
}
func.func private @maxima(%xs: !array.array<[k]i32>, %width: index) -> !array.array<[?]i32> {
  %c1 = arith.constant 1 : index
  %low = arith.constant -2147483648 : i32
  %k = array.dim %xs, 0 : [k]i32
  %less = arith.subi %k, %width : index
  %count = arith.addi %less, %c1 : index
  %is = array.iota %count : [?]index
  %ys = array.map (%i in %is : [?]index) {
    %window = array.slice %xs[%i] sizes [%width] strides [%c1] : [k]i32 -> [?]i32
    %max = array.reduce (%window : [?]i32) init (%low : i32) combine (%acc, %x) {
      %s = arith.maxsi %acc, %x : i32
      array.yield %s : i32
    }
    array.yield %max : i32
  }
  func.return %ys : !array.array<[?]i32>
}
