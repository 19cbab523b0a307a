// run
// Sizes that the types fix, of parameters, in between, and of results.
// inputs: [[1, 2, 3], [4, 5, 6]]
// outputs: [[2, 8], [4, 10], [6, 12]]; [6, 15]
// inputs: random:2x3
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%xss: !array.array<[2][3]i32>) -> (!array.array<[3][2]i32>, !array.array<[2]i32>) {
  %zero = arith.constant 0 : i32
  %t = array.rearrange %xss, [1, 0] : [2][3]i32
  %yss = array.map (%row in %t : [3][2]i32) {
    %ys = array.map (%x in %row : [2]i32) {
      %y = arith.addi %x, %x : i32
      array.yield %y : i32
    }
    array.yield %ys : !array.array<[2]i32>
  }
  %sums = array.map (%row in %xss : [2][3]i32) {
    %sum = array.reduce (%row : [3]i32) init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }
    array.yield %sum : i32
  }
  func.return %yss, %sums : !array.array<[3][2]i32>, !array.array<[2]i32>
}
