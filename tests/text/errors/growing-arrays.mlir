// errors: builtin.module(array-to-gpu)
// An array that grows in a loop inside a map is refused where the loop hands it on.
func.func @main(%is: !array.array<[t]index>) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %D = array.map (%n in %is : [t]index) {
    %start = array.iota %c1 : [?]i32
    %grown = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
      %b = array.concat %a, %start : [?]i32, [?]i32 -> [?]i32
      scf.yield %b : !array.array<[?]i32>
    }
    %d = array.reduce (%grown : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %d : i32
  }
  func.return %D : !array.array<[t]i32>
}
// ===== expected
input:9:14: remark: scf.for becomes a segmap over 1 dimension
  |
9 |     %grown = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
  |              ^^^^^^^
input:11:7: remark: scf.yield becomes a segmap over 1 dimension
   |
11 |       scf.yield %b : !array.array<[?]i32>
   |       ^^^^^^^^^
input:13:10: remark: array.reduce becomes a segred over 1 dimension
   |
13 |     %d = array.reduce (%grown : [?]i32) init (%zero : i32) combine arith.addi
   |          ^^^^^^^^^^^^
input:7:8: remark: array.map becomes a segmap over 1 dimension
  |
7 |   %D = array.map (%n in %is : [t]index) {
  |        ^^^^^^^^^
input:13:10: remark: array.reduce is executed sequentially by each thread: it needs an array whose extent differs between the points of the nest
   |
13 |     %d = array.reduce (%grown : [?]i32) init (%zero : i32) combine arith.addi
   |          ^^^^^^^^^^^^
input:11:7: error: 'scf.yield' op forwards an array that has grown or shrunk: in the code of a map's element, a loop or branch keeps the extents of its arrays
   |
11 |       scf.yield %b : !array.array<[?]i32>
   |       ^^^^^^^^^
   |
   = op: scf.yield %12 : memref<?xi32>
