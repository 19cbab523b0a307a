// run
// Products of 2x2 matrices, which do not commute, from [[1, 2], [3, 4]]: times [[1, 1], [0, 1]] n times it is
// [[1, n + 2], [3, 3n + 4]].
// inputs: [1, 1, 1]; [1, 1, 1]; [0, 0, 0]; [1, 1, 1]
// outputs: 1; 5; 3; 13
// inputs: []; []; []; []
// outputs: 1; 2; 3; 4
// inputs: random:N; random:N; random:N; random:N where N = 1 2 33 257 3001
// structure: kernel.segred 1
// versions: kernel.segred 1
func.func @main(%as: !array.array<[n]i32>, %bs: !array.array<[n]i32>, %cs: !array.array<[n]i32>, %ds: !array.array<[n]i32>) -> (i32, i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %r:4 = array.reduce (%as : [n]i32, %bs : [n]i32, %cs : [n]i32, %ds : [n]i32) init (%c1 : i32, %c2 : i32, %c3 : i32, %c4 : i32) combine (%a, %b, %c, %d, %e, %f, %g, %h) {
    %ae = arith.muli %a, %e : i32
    %bg = arith.muli %b, %g : i32
    %w = arith.addi %ae, %bg : i32
    %af = arith.muli %a, %f : i32
    %bh = arith.muli %b, %h : i32
    %x = arith.addi %af, %bh : i32
    %ce = arith.muli %c, %e : i32
    %dg = arith.muli %d, %g : i32
    %y = arith.addi %ce, %dg : i32
    %cf = arith.muli %c, %f : i32
    %dh = arith.muli %d, %h : i32
    %z = arith.addi %cf, %dh : i32
    array.yield %w, %x, %y, %z : i32, i32, i32, i32
  }
  func.return %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
}
