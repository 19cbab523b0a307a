// The core of LocVolCalib as in the lecture: three scans in two maps.
func.func @main(%xsss: !array.array<[a][b][c]i32>) -> !array.array<[a][b][c]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %low = arith.constant -1000000 : i32
  %r = array.map (%xss in %xsss : [a][b][c]i32) {
    %rows = array.map (%xs in %xss : [b][c]i32) {
      %bs = array.scan (%xs : [c]i32) init (%zero : i32) combine (%acc, %x) {
        %s = arith.addi %acc, %x : i32
        array.yield %s : i32
      }
      %cs = array.scan (%bs : [c]i32) init (%low : i32) combine (%acc, %x) {
        %s = arith.maxsi %acc, %x : i32
        array.yield %s : i32
      }
      %ds = array.scan (%cs : [c]i32) init (%one : i32) combine (%acc, %x) {
        %s = arith.muli %acc, %x : i32
        array.yield %s : i32
      }
      array.yield %ds : !array.array<[c]i32>
    }
    array.yield %rows : !array.array<[b][c]i32>
  }
  func.return %r : !array.array<[a][b][c]i32>
}
