// run
// Sorting by the bits of non-negative numbers: per bit a scan of the zeros and a scatter to the new places.
// inputs: [5, 3, 0, 7, 2, 2, 6]
// outputs: [0, 2, 2, 3, 5, 6, 7]
// inputs: random:N where N = 0 1 31 32 33 1023 1025
// structure: kernel.segmap 1, kernel.segred 1, kernel.segscan 1
// versions: kernel.segmap 1, kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 8 : index
  %none = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %mask = arith.constant 255 : i32
  %n = array.dim %xs, 0 : [n]i32
  %is = array.iota %n : [n]index
  %low = array.map (%x in %xs : [n]i32) {
    %y = arith.andi %x, %mask : i32
    array.yield %y : i32
  }
  %r = scf.for %bit = %c0 to %bits step %c1 iter_args(%ys = %low) -> (!array.array<[n]i32>) {
    %shift = arith.index_cast %bit : index to i32
    %before, %zeros = array.scanomap exclusive (%y in %ys : [n]i32) init (%none : index) map {
      %s = arith.shrui %y, %shift : i32
      %b = arith.andi %s, %one : i32
      %inverted = arith.xori %b, %one : i32
      %z = arith.index_cast %inverted : i32 to index
      array.yield %z, %z : index, index
    } combine (%a, %b) {
      %s = arith.addi %a, %b : index
      array.yield %s : index
    }
    %total = array.reduce (%zeros : [n]index) init (%none : index) combine (%acc, %z) {
      %s = arith.addi %acc, %z : index
      array.yield %s : index
    }
    %sorted = array.scatter (%y in %ys : [n]i32, %i in %is : [n]index, %b in %before : [n]index, %z in %zeros : [n]index) into (%ys : [n]i32) {
      %ones = arith.subi %i, %b : index
      %late = arith.addi %total, %ones : index
      %zero = arith.cmpi eq, %z, %c1 : index
      %at = arith.select %zero, %b, %late : index
      array.yield %at, %y : index, i32
    }
    scf.yield %sorted : !array.array<[n]i32>
  }
  func.return %r : !array.array<[n]i32>
}
