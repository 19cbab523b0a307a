// run
// Three scans of rows: sequential, in thread blocks, flat, flat with rows in thread blocks; a threshold reaches each.
// inputs: random:OxMxN where O = 0 1 5; M = 0 1 7; N = 0 1 33 65
// numpy: a = np.cumsum(xsss, axis=2, dtype=np.int32)
// numpy: b = np.maximum.accumulate(a, axis=2)
// numpy: np.bitwise_xor.accumulate(b, axis=2)
// structure: kernel.segscan 3
// versions: kernel.segmap 2, kernel.segscan 6
func.func @main(%xsss: !array.array<[o][m][n]i32>) -> !array.array<[o][m][n]i32> {
  %zero = arith.constant 0 : i32
  %lowest = arith.constant -2147483648 : i32
  %r = array.map (%xss in %xsss : [o][m][n]i32) {
    %rows = array.map (%xs in %xss : [m][n]i32) {
      %bs = array.scan (%xs : [n]i32) init (%zero : i32) combine arith.addi
      %cs = array.scan (%bs : [n]i32) init (%lowest : i32) combine arith.maxsi
      %ds = array.scan (%cs : [n]i32) init (%zero : i32) combine arith.xori
      array.yield %ds : [n]i32
    }
    array.yield %rows : [m][n]i32
  }
  func.return %r : !array.array<[o][m][n]i32>
}
