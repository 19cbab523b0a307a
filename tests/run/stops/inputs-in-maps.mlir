// run
// Inputs of a combinator inside a map have one extent, whatever the number of points; also where neither is the outer one.
// inputs: [3, 3]; [1, 2, 3]
// outputs: [8, 8]; [14, 14]
// inputs: [3, 2]; [1, 2, 3]
// error: @array.redomap@ ... 'array.redomap' op input #0 has outer size 2, but input #1 has 3
// inputs: [4, 3]; [1, 2, 3]
// error: @array.redomap@ ... 'array.redomap' op input #0 has outer size 4, but input #1 has 3
// inputs: [3, 0]; [1, 2, 3]
// error: @array.redomap@ ... 'array.redomap' op input #0 has outer size 0, but input #1 has 3
// inputs: []; [1, 2, 3]
// outputs: []; []
// inputs: [0]; []
// outputs: [0]; [0]
// structure: kernel.segmap 1
// shapes: 2
// versions: kernel.segmap 5, kernel.segred 1, kernel.segscan 3
func.func @main(%ks: !array.array<[n]index>, %ys: !array.array<[m]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>) {
  %c = arith.constant 0 : i32
  %r, %t = array.map (%k in %ks : [n]index) {
    %is = array.iota %k : [?]i32
    %s = array.redomap (%x in %is : [?]i32, %y in %ys : [m]i32) init (%c : i32) map {
       %p = arith.muli %x, %y : i32
       array.yield %p : i32
    } combine arith.addi
    %both = array.map (%y in %ys : [m]i32, %x in %is : [?]i32) {
       %p = arith.muli %y, %y : i32
       %q = arith.muli %x, %c : i32
       %v = arith.addi %p, %q : i32
       array.yield %v : i32
    }
    %u = array.reduce (%both : [m]i32) init (%c : i32) combine arith.addi
    array.yield %s, %u : i32, i32
  }
  func.return %r, %t : !array.array<[n]i32>, !array.array<[n]i32>
}
