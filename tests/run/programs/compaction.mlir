// run
// The even elements in order, the others after them: a fused scan of flags and two scatters in one.
// inputs: [3, 4, 6, 5, 8]
// outputs: [4, 6, 8, 3, 5]; 3
// inputs: random:N where N = 0 1 31 32 33 1023 1025
// structure: kernel.segred 1, kernel.segscan 1
// versions: kernel.segred 1, kernel.segscan 1
func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[n]i32>, index) {
  %none = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %n = array.dim %xs, 0 : [n]i32
  %is = array.iota %n : [n]index
  %before, %flags = array.scanomap exclusive (%x in %xs : [n]i32) init (%none : index) map {
    %bit = arith.andi %x, %one : i32
    %even = arith.xori %bit, %one : i32
    %f = arith.index_cast %even : i32 to index
    array.yield %f, %f : index, index
  } combine (%a, %b) {
    %s = arith.addi %a, %b : index
    array.yield %s : index
  }
  %count = array.reduce (%flags : [n]index) init (%none : index) combine (%acc, %f) {
    %s = arith.addi %acc, %f : index
    array.yield %s : index
  }
  %ys = array.scatter (%x in %xs : [n]i32, %i in %is : [n]index, %b in %before : [n]index, %f in %flags : [n]index) into (%xs : [n]i32) {
    %odd = arith.cmpi eq, %f, %none : index
    %skipped = arith.subi %i, %b : index
    %late = arith.addi %count, %skipped : index
    %at = arith.select %odd, %late, %b : index
    array.yield %at, %x : index, i32
  }
  func.return %ys, %count : !array.array<[n]i32>, index
}
