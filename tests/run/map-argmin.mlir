// run
// Per row the smallest element and where it is: an operator on pairs.
// inputs: [[3, 1, 2], [5, 9, 5]]
// outputs: [1, 5]; [1, 0]
// inputs: random:NxM where N = 0 1 5 130; M = 1 2 33 257
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %most = arith.constant 2147483647 : i32
  %m = array.dim %xss, 1 : [n][m]i32
  %numbers = array.iota %m : [m]i32
  %values, %places = array.map (%row in %xss : [n][m]i32) {
    %v, %p = array.reduce (%row : [m]i32, %numbers : [m]i32) init (%most : i32, %most : i32) combine (%bx, %bi, %x, %i) {
      %less = arith.cmpi slt, %bx, %x : i32
      %equal = arith.cmpi eq, %bx, %x : i32
      %before = arith.cmpi slt, %bi, %i : i32
      %tie = arith.andi %equal, %before : i1
      %left = arith.ori %less, %tie : i1
      %a = arith.select %left, %bx, %x : i32
      %b = arith.select %left, %bi, %i : i32
      array.yield %a, %b : i32, i32
    }
    array.yield %v, %p : i32, i32
  }
  func.return %values, %places : !array.array<[n]i32>, !array.array<[n]i32>
}
