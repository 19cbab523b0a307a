// run
// A nest inside a loop inside a map inside a loop: repeated smoothing of the columns of each plane.
// inputs: [[[0, 8], [8, 0], [0, 8]]]; 1
// outputs: [[[8, 16], [16, 8], [8, 16]]]
// inputs: random:AxNx4; K where A = 0 1 3; N = 1 33; K = 0 2
// structure: kernel.segmap 2
// versions: kernel.segmap 8, kernel.segred 3
func.func @main(%planes: !array.array<[a][n][m]i32>, %k: index) -> !array.array<[a][n][m]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = array.dim %planes, 2 : [a][n][m]i32
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%ps = %planes) -> (!array.array<[a][n][m]i32>) {
    %next = array.map (%p in %ps : [a][n][m]i32) {
      %q = scf.for %j = %c0 to %k step %c1 iter_args(%q = %p) -> (!array.array<[n][m]i32>) {
        %rows = array.map (%row in %q : [n][m]i32) {
          %sum = array.reduce (%row : [m]i32) init (%zero : i32) combine (%acc, %x) {
            %s = arith.addi %acc, %x : i32
            array.yield %s : i32
          }
          %new = array.map (%x in %row : [m]i32) {
            %y = arith.addi %x, %sum : i32
            array.yield %y : i32
          }
          array.yield %new : [m]i32
        }
        scf.yield %rows : !array.array<[n][m]i32>
      }
      array.yield %q : [n][m]i32
    }
    scf.yield %next : !array.array<[a][n][m]i32>
  }
  func.return %r : !array.array<[a][n][m]i32>
}
