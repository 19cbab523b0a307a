// run
// Maps of two arrays before a stencil of one dimension, and of other types: neighbours computed for each point.
// inputs: random:N; random:N; random:N; 3 where N = 0 1 2 7 2053
// inputs: [1.0, 2.0, 3.0]; [4.0, 5.0, 6.0]; [7, 8, 9]; 2
// structure: kernel.segmap 2
// versions: kernel.segmap 2
func.func @main(%a: !array.array<[n]f64>, %w: !array.array<[n]f64>, %i: !array.array<[k]i32>, %c: i32) -> (!array.array<[n]f64>, !array.array<[k]i32>) {
  %weighted = array.map (%x in %a : [n]f64, %v in %w : [n]f64) {
    %y = arith.mulf %x, %v : f64
    array.yield %y : f64
  }
  %sums = array.stencil (%l0, %l1, %l2 in %weighted : [n]f64 at [-3, 0, 2] mirror, %h in %a : [n]f64 at [0]) {
    %t0 = arith.addf %l0, %l1 : f64
    %t1 = arith.subf %t0, %l2 : f64
    %t2 = arith.mulf %t1, %h : f64
    array.yield %t2 : f64
  }
  %raised = array.map (%x in %i : [k]i32) {
    %y = arith.muli %x, %c : i32
    %z = arith.xori %y, %x : i32
    array.yield %z : i32
  }
  %steps = array.stencil (%r0, %r1 in %raised : [k]i32 at [-1, 1] wrap, %s0, %s1, %s2 in %raised : [k]i32 at [-4, 0, 4] clamp) {
    %t0 = arith.subi %r0, %r1 : i32
    %t1 = arith.addi %t0, %s0 : i32
    %t2 = arith.subi %t1, %s1 : i32
    %t3 = arith.addi %t2, %s2 : i32
    array.yield %t3 : i32
  }
  func.return %sums, %steps : !array.array<[n]f64>, !array.array<[k]i32>
}
