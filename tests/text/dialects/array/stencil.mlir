// round-trip
// Stencils: offsets along one dimension and several, boxes, all boundaries, sizes of their own; single neighbours.
builtin.module {
  func.func @main(%xs: !array.array<[n]f32>, %yss: !array.array<[n][m]i32>, %k: index, %i: index) -> (!array.array<[n]f32>, !array.array<[n][m]i32>, !array.array<[?]f32>, !array.array<[n][m]i32>) {
    %zero = arith.constant 0 : i32
    %a = array.stencil (%l, %c, %r in %xs : [n]f32 at [-1, 0, 1] mirror, %f in %xs : [n]f32 at [0]) {
      %s = arith.addf %l, %r : f32
      %t = arith.addf %s, %f : f32
      array.yield %t : f32
    }
    %b = array.stencil (%p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7, %p8 in %yss : [n][m]i32 box [1, 1] constant %zero, %q, %q1 in %yss : [n][m]i32 at [[0, -2], [1, 0]] symmetric) {
      %s = arith.addi %p0, %p8 : i32
      array.yield %s : i32
    }
    %c2 = array.stencil (%x, %y in %xs : [n]f32 at [0, 1]) sizes [%k] -> [?] {
      %s = arith.addf %x, %y : f32
      array.yield %s : f32
    }
    %d = array.stencil (%x, %y in %yss : [n][m]i32 at [[0, 1], [0, -1]] outside (%u, %v) {
      %w = arith.index_cast %u : index to i32
      array.yield %w : i32
    }) {
      %s = arith.addi %x, %y : i32
      array.yield %s : i32
    }
    %e = array.near %yss[%i, %i] by [0, 1] else %zero : [n][m]i32
    %g = array.near %xs[%i] by [-1] wrap : [n]f32
    %h = array.near %xs[%i] by [2] inside : [n]f32
    func.return %a, %b, %c2, %d : !array.array<[n]f32>, !array.array<[n][m]i32>, !array.array<[?]f32>, !array.array<[n][m]i32>
  }
}
