// run
// The smallest and largest corner of each cloud of points: one fused reduction of two rows.
// inputs: [[[1, 9], [4, 2], [3, 3]]]
// outputs: [[1, 2]]; [[4, 9]]
// inputs: random:NxMx3 where N = 0 1 7; M = 0 1 31 33 1025
// structure: kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 2
func.func @main(%clouds: !array.array<[n][m][d]i32>) -> (!array.array<[n][d]i32>, !array.array<[n][d]i32>) {
  %far = arith.constant 1000000 : i32
  %near = arith.constant -1000000 : i32
  %d = array.dim %clouds, 2 : [n][m][d]i32
  %fars = array.replicate %far, [%d] : i32 -> [d]i32
  %nears = array.replicate %near, [%d] : i32 -> [d]i32
  %low, %high = array.map (%points in %clouds : [n][m][d]i32) {
    %l, %h = array.redomap (%p in %points : [m][d]i32) init (%fars : [d]i32, %nears : [d]i32) map {
      array.yield %p, %p : [d]i32, [d]i32
    } combine (%l0, %h0, %l1, %h1) {
      %l, %h = array.map (%a in %l0 : [d]i32, %b in %h0 : [d]i32, %c in %l1 : [d]i32, %e in %h1 : [d]i32) {
        %min = arith.minsi %a, %c : i32
        %max = arith.maxsi %b, %e : i32
        array.yield %min, %max : i32, i32
      }
      array.yield %l, %h : [d]i32, [d]i32
    }
    array.yield %l, %h : [d]i32, [d]i32
  }
  func.return %low, %high : !array.array<[n][d]i32>, !array.array<[n][d]i32>
}
