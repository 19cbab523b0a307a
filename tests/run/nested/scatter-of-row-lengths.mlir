// run
// A scatter whose body reduces: every row writes its number of zeros to the place its first element names.
// inputs: [[2, 0, 0], [0, 1, 0], [5, 0, 1]]; [9, 9, 9]
// outputs: [2, 9, 2]
// inputs: random:0xM; random:5 where M = 1 8
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
// shapes: 6
func.func @main(%xss: !array.array<[n][m]i32>, %places: !array.array<[k]i32>) -> !array.array<[k]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.constant 0 : index
  %r = array.scatter (%xs in %xss : [n][m]i32) into (%places : [k]i32) {
    %zeros = array.redomap (%x in %xs : [m]i32) init (%zero : i32) map {
      %is = arith.cmpi eq, %x, %zero : i32
      %c = arith.select %is, %one, %zero : i32
      array.yield %c : i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      array.yield %s : i32
    }
    %x = array.index %xs[%first] : [m]i32
    %at = arith.index_cast %x : i32 to index
    array.yield %at, %zeros : index, i32
  }
  func.return %r : !array.array<[k]i32>
}
