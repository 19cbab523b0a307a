// run
// A convolution of each row with a short kernel: a reduction over windows that overlap.
// inputs: [[1, 2, 3, 4, 5]]; [1, 0, 2]
// outputs: [[7, 10, 13]]
// inputs: random:NxM; random:3 where N = 1 5; M = 3 31 33 1025
// structure: kernel.segmap 1
// shapes: 5
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>, %kernel: !array.array<[k]i32>) -> !array.array<[n][?]i32> {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %m = array.dim %xss, 1 : [n][m]i32
  %k = array.dim %kernel, 0 : [k]i32
  %less = arith.subi %m, %k : index
  %count = arith.addi %less, %c1 : index
  %is = array.iota %count : [?]index
  %js = array.iota %k : [k]index
  %yss = array.map (%xs in %xss : [n][m]i32) {
    %ys = array.map (%i in %is : [?]index) {
      %y = array.redomap (%w in %kernel : [k]i32, %j in %js : [k]index) init (%zero : i32) map {
        %at = arith.addi %i, %j : index
        %x = array.index %xs[%at] : [m]i32
        %p = arith.muli %w, %x : i32
        array.yield %p : i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        array.yield %s : i32
      }
      array.yield %y : i32
    }
    array.yield %ys : [?]i32
  }
  func.return %yss : !array.array<[n][?]i32>
}
