// run
// All shortest paths (Floyd and Warshall): a loop on the host around a nest of two maps.
// inputs: [[0, 3, 100], [100, 0, 1], [1, 100, 0]]
// outputs: [[0, 3, 4], [2, 0, 1], [1, 4, 0]]
// inputs: random:NxN where N = 0 1 17
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%d: !array.array<[n][n]i32>) -> !array.array<[n][n]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.dim %d, 0 : [n][n]i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%w = %d) -> (!array.array<[n][n]i32>) {
    %through = array.index %w[%k] : [n][n]i32
    %next = array.map (%row in %w : [n][n]i32) {
      %first = array.index %row[%k] : [n]i32
      %new = array.map (%direct in %row : [n]i32, %second in %through : [n]i32) {
        %s = arith.addi %first, %second : i32
        %m = arith.minsi %direct, %s : i32
        array.yield %m : i32
      }
      array.yield %new : [n]i32
    }
    scf.yield %next : !array.array<[n][n]i32>
  }
  func.return %r : !array.array<[n][n]i32>
}
