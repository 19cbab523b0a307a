// run
// Two indices: the transpose as a scatter, into a matrix of zeros.
// inputs: random:NxM where N = 0 1 33; M = 1 32 65
// structure: kernel.scatter 1, kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[m][n]i32> {
  %n = array.dim %xss, 0 : [n][m]i32
  %m = array.dim %xss, 1 : [n][m]i32
  %zero = arith.constant 0 : i32
  %zeros = array.replicate %zero, [%m, %n] : i32 -> [m][n]i32
  %count = arith.muli %n, %m : index
  %is = array.iota %count : [?]index
  %yss = array.scatter (%i in %is : [?]index) into (%zeros : [m][n]i32) {
    %row = arith.divui %i, %m : index
    %column = arith.remui %i, %m : index
    %x = array.index %xss[%row, %column] : [n][m]i32
    array.yield %column, %row, %x : index, index, i32
  }
  func.return %yss : !array.array<[m][n]i32>
}
