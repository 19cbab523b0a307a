// run
// A segmented scatter: each row is rotated by its number, into a row of zeros.
// inputs: random:NxM where N = 0 1 7 70; M = 0 1 33 256
// structure: kernel.scatter 1, kernel.segmap 1
// versions: kernel.segmap 4
func.func @main(%xss: !array.array<[n][m]i16>) -> !array.array<[n][m]i16> {
  %n = array.dim %xss, 0 : [n][m]i16
  %m = array.dim %xss, 1 : [n][m]i16
  %zero = arith.constant 0 : i16
  %zeros = array.replicate %zero, [%m] : i16 -> [m]i16
  %rows = array.iota %n : [n]index
  %columns = array.iota %m : [m]index
  %yss = array.map (%row in %xss : [n][m]i16, %k in %rows : [n]index) {
    %ys = array.scatter (%x in %row : [m]i16, %i in %columns : [m]index) into (%zeros : [m]i16) {
      %moved = arith.addi %i, %k : index
      array.yield %moved, %x : index, i16
    }
    array.yield %ys : !array.array<[m]i16>
  }
  func.return %yss : !array.array<[n][m]i16>
}
