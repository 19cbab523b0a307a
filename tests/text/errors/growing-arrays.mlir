// errors: builtin.module(array-to-gpu)
// An array that grows in a loop inside a map, as often as its own elements say: nothing bounds it.
func.func @main(%is: !array.array<[t]i32>) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %D = array.map (%n in %is : [t]i32) {
    %start = array.replicate %n, [%c1] : i32 -> [?]i32
    %grown = scf.while (%a = %start) : (!array.array<[?]i32>) -> (!array.array<[?]i32>) {
      %first = array.index %a[%c0] : [?]i32
      %more = arith.cmpi sgt, %first, %zero : i32
      scf.condition(%more) %a : !array.array<[?]i32>
    } do {
    ^bb0(%a: !array.array<[?]i32>):
      %first = array.index %a[%c0] : [?]i32
      %half = arith.divsi %first, %two : i32
      %one = array.replicate %half, [%c1] : i32 -> [?]i32
      %b = array.concat %one, %a : [?]i32, [?]i32 -> [?]i32
      scf.yield %b : !array.array<[?]i32>
    }
    %d = array.reduce (%grown : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %d : i32
  }
  func.return %D : !array.array<[t]i32>
}

// -----
// An array that shrinks by what is not known of a branch: what it loses has no bound from below.
func.func @main(%is: !array.array<[t]index>, %k: index) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i32
  %D = array.map (%n in %is : [t]index) {
    %start = array.iota %n : [?]i32
    %left = scf.for %i = %c0 to %k step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
      %len = array.dim %a, 0 : [?]i32
      %last = arith.subi %len, %c1 : index
      %e = array.index %a[%last] : [?]i32
      %odd = arith.trunci %e : i32 to i1
      %b = scf.if %odd -> (!array.array<[?]i32>) {
        %part = array.slice %a[%c0] sizes [%last] strides [%c1] : [?]i32 -> [?]i32
        scf.yield %part : !array.array<[?]i32>
      } else {
        scf.yield %a : !array.array<[?]i32>
      }
      %now = array.dim %b, 0 : [?]i32
      %other = arith.subi %c9, %now : index
      %c = array.iota %other : [?]i32
      scf.yield %c : !array.array<[?]i32>
    }
    %d = array.reduce (%left : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %d : i32
  }
  func.return %D : !array.array<[t]i32>
}
// ===== expected
input:8:8: remark: array.map becomes a segmap over 1 dimension
  |
8 |   %D = array.map (%n in %is : [t]i32) {
  |        ^^^^^^^^^
input:10:14: remark: scf.while stays in the code of each thread: it carries an array whose extent differs between the points of the nest
   |
10 |     %grown = scf.while (%a = %start) : (!array.array<[?]i32>) -> (!array.array<[?]i32>) {
   |              ^^^^^^^^^
input:22:10: remark: array.reduce is executed sequentially by each thread: it needs an array whose extent differs between the points of the nest
   |
22 |     %d = array.reduce (%grown : [?]i32) init (%zero : i32) combine arith.addi
   |          ^^^^^^^^^^^^
input:10:14: error: 'scf.while' op may give an array more elements in each round, and runs as often as only the point of the nest knows
   |
10 |     %grown = scf.while (%a = %start) : (!array.array<[?]i32>) -> (!array.array<[?]i32>) {
   |              ^^^^^^^^^
   |
   = op: %grown:2 = "scf.while"(%6, %c1) ({...}, {...}) : (tensor<?xi32>, index) -> (tensor<?xi32>, index)
input:35:8: remark: array.map becomes a segmap over 1 dimension
   |
35 |   %D = array.map (%n in %is : [t]index) {
   |        ^^^^^^^^^
input:37:13: remark: scf.for stays in the code of each thread: it carries an array whose extent differs between the points of the nest
   |
37 |     %left = scf.for %i = %c0 to %k step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
   |             ^^^^^^^
input:53:10: remark: array.reduce is executed sequentially by each thread: it needs an array whose extent differs between the points of the nest
   |
53 |     %d = array.reduce (%left : [?]i32) init (%zero : i32) combine arith.addi
   |          ^^^^^^^^^^^^
input:51:7: error: 'tensor.reshape' op gives an array an extent that nothing bounds before the point of the nest runs
   |
51 |       scf.yield %c : !array.array<[?]i32>
   |       ^^^^^^^^^
   |
   = op: %22 = tensor.reshape %20(%21) : (tensor<?xi32>, tensor<1xindex>) -> tensor<?xi32>
