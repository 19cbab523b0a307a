// run
// The largest fall of each row from an earlier high: a scan, a map and a reduction in one map.
// inputs: [[1, 5, 2, 4, 0, 3], [6, 5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6]]
// outputs: [5, 5, 0]
// inputs: random:NxM where N = 0 1 33; M = 0 1 31 32 33 1023 1025
// structure: kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 2, kernel.segred 2, kernel.segscan 2
func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[n]i32> {
  %low = arith.constant -1000000 : i32
  %zero = arith.constant 0 : i32
  %falls = array.map (%xs in %xss : [n][m]i32) {
    %highs = array.scan (%xs : [m]i32) init (%low : i32) combine (%acc, %x) {
      %h = arith.maxsi %acc, %x : i32
      array.yield %h : i32
    }
    %fall = array.redomap (%h in %highs : [m]i32, %x in %xs : [m]i32) init (%zero : i32) map {
      %d = arith.subi %h, %x : i32
      array.yield %d : i32
    } combine (%a, %b) {
      %c = arith.maxsi %a, %b : i32
      array.yield %c : i32
    }
    array.yield %fall : i32
  }
  func.return %falls : !array.array<[n]i32>
}
