// run
// Rows without zeros kept by a filter in a function; the caller names their number and makes a nest over it.
// inputs: [[1, 2], [0, 3], [4, 5]]
// outputs: [[1, 2], [4, 5]]; [[1, 3], [4, 9]]
// inputs: random:Nx2 where N = 0 1 33 1025
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 2
// versions: kernel.segmap 5, kernel.segred 2, kernel.segscan 3
func.func private @full(%xss: !array.array<[n][m]i32>) -> !array.array<[k][m]i32> {
  %zero = arith.constant 0 : i32
  %yes = arith.constant true
  %r = array.filter (%xs in %xss : [n][m]i32) -> [k] {
    %all = array.redomap (%x in %xs : [m]i32) init (%yes : i1) map {
      %other = arith.cmpi ne, %x, %zero : i32
      array.yield %other : i1
    } combine (%a, %b) {
      %both = arith.andi %a, %b : i1
      array.yield %both : i1
    }
    array.yield %all : i1
  }
  func.return %r : !array.array<[k][m]i32>
}
func.func private @prefixes(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %s = array.scan (%xs : [n]i32) init (%zero : i32) combine (%acc, %x) {
    %t = arith.addi %acc, %x : i32
    array.yield %t : i32
  }
  func.return %s : !array.array<[n]i32>
}
func.func @main(%xss: !array.array<[n][m]i32>) -> (!array.array<[rows][m]i32>, !array.array<[rows][m]i32>) {
  %kept = func.call @full(%xss) : (!array.array<[n][m]i32>) -> !array.array<[rows][m]i32>
  %sums = array.map (%row in %kept : [rows][m]i32) {
    %s = func.call @prefixes(%row) : (!array.array<[m]i32>) -> !array.array<[m]i32>
    array.yield %s : [m]i32
  }
  func.return %kept, %sums : !array.array<[rows][m]i32>, !array.array<[rows][m]i32>
}
