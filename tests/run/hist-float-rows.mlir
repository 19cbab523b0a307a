// run
// Sums of the f32 of each row, by keys: the flat version alone, whose atomics or thread blocks take segments, beside a thread for each row.
// inputs: [[0, 1, 0], [2, 2, -1]]; [[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]; [[0.5, 0.0, 0.0], [0.0, 0.0, 1.0]]
// outputs: [[5.5, 2.0, 0.0], [0.0, 0.0, 25.0]]
// inputs: random:NxM; random:NxM; random:NxB where N = 0 1 5; M = 0 1 33; B = 1 7 40
// structure: kernel.seghist 1
// versions: kernel.seghist 1, kernel.segmap 1
func.func @main(%keys: !array.array<[n][m]i32>, %xs: !array.array<[n][m]f32>, %start: !array.array<[n][b]f32>) -> !array.array<[n][b]f32> {
  %zero = arith.constant 0.0 : f32
  %r = array.map (%ks in %keys : [n][m]i32, %row in %xs : [n][m]f32, %own in %start : [n][b]f32) {
    %h = array.hist (%k in %ks : [m]i32, %x in %row : [m]f32) into (%own : [b]f32) neutral (%zero : f32) map {
      %at = arith.index_cast %k : i32 to index
      array.yield %at, %x : index, f32
    } combine (%u, %v) {
      %s = arith.addf %u, %v : f32
      array.yield %s : f32
    }
    array.yield %h : [b]f32
  }
  func.return %r : !array.array<[n][b]f32>
}
