// run
// Where a pattern occurs in a text: a map over places of a reduction over the pattern, and how many there are.
// inputs: [1, 2, 1, 2, 1, 3]; [1, 2, 1]
// outputs: [true, false, true, false]; 2
// inputs: random:N; random:2 where N = 2 31 33 1025
// structure: kernel.segred 2
// versions: kernel.segmap 2, kernel.segred 3
// shapes: 5
func.func @main(%text: !array.array<[n]i8>, %pattern: !array.array<[k]i8>) -> (!array.array<[?]i1>, i32) {
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %n = array.dim %text, 0 : [n]i8
  %k = array.dim %pattern, 0 : [k]i8
  %rest = arith.subi %n, %k : index
  %count = arith.addi %rest, %c1 : index
  %is = array.iota %count : [?]index
  %js = array.iota %k : [k]index
  %found = array.map (%i in %is : [?]index) {
    %all = array.redomap (%p in %pattern : [k]i8, %j in %js : [k]index) init (%yes : i1) map {
      %at = arith.addi %i, %j : index
      %t = array.index %text[%at] : [n]i8
      %same = arith.cmpi eq, %t, %p : i8
      array.yield %same : i1
    } combine (%a, %b) {
      %both = arith.andi %a, %b : i1
      array.yield %both : i1
    }
    array.yield %all : i1
  }
  %many = array.redomap (%f in %found : [?]i1) init (%zero : i32) map {
    %one = arith.extui %f : i1 to i32
    array.yield %one : i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    array.yield %s : i32
  }
  func.return %found, %many : !array.array<[?]i1>, i32
}
