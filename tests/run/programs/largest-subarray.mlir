// run
// The largest sum of neighbouring elements of each row: an operator on four numbers, associative but not commutative.
// inputs: [[1, -2, 3, 4, -1], [-1, -2, -3, -4, -5]]
// outputs: [7, 0]
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %r = array.map (%xs in %xss : [n][m]i32) {
    %best, %p, %s, %t = array.redomap (%x in %xs : [m]i32) init (%zero : i32, %zero : i32, %zero : i32, %zero : i32) neutral (%zero : i32, %zero : i32, %zero : i32, %zero : i32) map {
      %y = arith.maxsi %x, %zero : i32
      array.yield %y, %y, %y, %x : i32, i32, i32, i32
    } combine (%b0, %p0, %s0, %t0, %b1, %p1, %s1, %t1) {
      %over = arith.addi %s0, %p1 : i32
      %b = arith.maxsi %b0, %b1 : i32
      %best = arith.maxsi %b, %over : i32
      %far = arith.addi %t0, %p1 : i32
      %p = arith.maxsi %p0, %far : i32
      %back = arith.addi %s0, %t1 : i32
      %s = arith.maxsi %s1, %back : i32
      %t = arith.addi %t0, %t1 : i32
      array.yield %best, %p, %s, %t : i32, i32, i32, i32
    }
    array.yield %best : i32
  }
  func.return %r : !array.array<[n]i32>
}
