// run
// A fused scan whose map is a reduction: the highest element of the rows so far, beside each row's own, per group.
// inputs: [[[1, 5], [7, 2], [6, 0]]]
// outputs: [[5, 7, 7]]; [[5, 7, 6]]
// inputs: random:2xNxM where N = 0 1 31 33 1025; M = 1 9
// structure: kernel.segscan 1
// versions: kernel.segmap 4, kernel.segred 3, kernel.segscan 2
func.func @main(%xsss: !array.array<[g][n][m]i32>) -> (!array.array<[g][n]i32>, !array.array<[g][n]i32>) {
  %low = arith.constant -2147483648 : i32
  %highest, %own = array.map (%xss in %xsss : [g][n][m]i32) {
    %h, %o = array.scanomap (%xs in %xss : [n][m]i32) init (%low : i32) map {
      %max = array.reduce (%xs : [m]i32) init (%low : i32) combine (%acc, %x) {
        %s = arith.maxsi %acc, %x : i32
        array.yield %s : i32
      }
      array.yield %max, %max : i32, i32
    } combine (%a, %b) {
      %s = arith.maxsi %a, %b : i32
      array.yield %s : i32
    }
    array.yield %h, %o : [n]i32, [n]i32
  }
  func.return %highest, %own : !array.array<[g][n]i32>, !array.array<[g][n]i32>
}
