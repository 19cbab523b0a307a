// run
// Listing 3 of Janssen and Scholz: two partitions with steps and widths, the second of which wins where they overlap.
// inputs:
// outputs: [[0, 3, 3, 0, 3, 3, 0, 3, 0], [7, 0, 7, 0, 7, 0, 7, 0, 7], [7, 3, 7, 0, 7, 3, 7, 3, 7], [0, 0, 0, 0, 0, 0, 0, 0, 0], [7, 3, 7, 0, 7, 3, 7, 3, 7], [7, 0, 7, 0, 7, 0, 7, 0, 7], [0, 3, 3, 0, 3, 3, 0, 3, 0], [7, 0, 7, 0, 7, 0, 7, 0, 7], [0, 3, 3, 0, 3, 3, 0, 3, 0]]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main() -> !array.array<[9][9]i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  %a = array.with_loop genarray [9, 9] default (%zero : i32) partition ([0, 1] <= (%i, %j) < [9, 8] step [2, 3] width [1, 2]) {
    array.yield %three : i32
  } partition ([1, 0] <= (%i, %j) < [8, 9] step [3, 2] width [2, 1]) {
    array.yield %seven : i32
  } : [9][9]i32
  func.return %a : !array.array<[9][9]i32>
}
