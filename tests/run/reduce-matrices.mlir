// run
// A product of 2x2 matrices as tuples, in order, segmented: every version by the length of the rows.
// inputs: random:NxM where N = 0 1 3 300; M = 0 1 16 17 33
// inputs: random:2xM where M = 1023 1024 1025 9000
// inputs: random:260x1100
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ra, %rb, %rc, %rd = array.map (%row in %xss : [n][m]i32) {
    %a, %b, %c, %d = array.redomap (%x in %row : [m]i32) init (%one : i32, %zero : i32, %zero : i32, %one : i32) map {
      array.yield %x, %one, %one, %zero : i32, i32, i32, i32
    } combine (%a0, %b0, %c0, %d0, %a1, %b1, %c1, %d1) {
      %aa = arith.muli %a0, %a1 : i32
      %bc = arith.muli %b0, %c1 : i32
      %ab = arith.muli %a0, %b1 : i32
      %bd = arith.muli %b0, %d1 : i32
      %ca = arith.muli %c0, %a1 : i32
      %dc = arith.muli %d0, %c1 : i32
      %cb = arith.muli %c0, %b1 : i32
      %dd = arith.muli %d0, %d1 : i32
      %a = arith.addi %aa, %bc : i32
      %b = arith.addi %ab, %bd : i32
      %c = arith.addi %ca, %dc : i32
      %d = arith.addi %cb, %dd : i32
      array.yield %a, %b, %c, %d : i32, i32, i32, i32
    }
    array.yield %a, %b, %c, %d : i32, i32, i32, i32
  }
  func.return %ra, %rb, %rc, %rd : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>
}
