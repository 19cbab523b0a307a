// run
// Maps that only a stencil reads are computed by it, for each neighbour; two of them stay.
// inputs: random:NxM; random:NxM; 3.0 where N = 0 1 4 37; M = 1 2 41
// inputs: [[1.0, 2.0, 3.0]]; [[4.0, 5.0, 6.0]]; 2.0
// structure: kernel.segmap 5
// versions: kernel.segmap 5
func.func @main(%a: !array.array<[n][m]f32>, %w: !array.array<[n][m]f32>, %c: f32) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>) {
  %scaled = array.map (%row in %a : [n][m]f32) {
    %r = array.map (%x in %row : [m]f32) {
      %y = arith.mulf %x, %c : f32
      array.yield %y : f32
    }
    array.yield %r : [m]f32
  }
  %clamp = array.stencil (%n0, %w0, %c0, %e0, %s0 in %scaled : [n][m]f32 at [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] clamp) {
    %t0 = arith.addf %n0, %w0 : f32
    %t1 = arith.addf %t0, %c0 : f32
    %t2 = arith.addf %t1, %e0 : f32
    %t3 = arith.addf %t2, %s0 : f32
    array.yield %t3 : f32
  }
  // Not fed: tiles of two arrays are smaller.
  %weighted = array.map (%row in %a : [n][m]f32, %weights in %w : [n][m]f32) {
    %r = array.map (%x in %row : [m]f32, %v in %weights : [m]f32) {
      %y = arith.mulf %x, %v : f32
      %z = arith.subf %y, %v : f32
      array.yield %z : f32
    }
    array.yield %r : [m]f32
  }
  %mirror = array.stencil (%l1, %r1 in %weighted : [n][m]f32 at [[-2, 0], [1, 1]] mirror, %h1 in %a : [n][m]f32 at [[0, 0]]) {
    %t0 = arith.subf %l1, %r1 : f32
    %t1 = arith.mulf %t0, %h1 : f32
    array.yield %t1 : f32
  }
  %left = array.map (%row in %a : [n][m]f32) {
    %r = array.map (%x in %row : [m]f32) {
      %y = arith.subf %x, %c : f32
      array.yield %y : f32
    }
    array.yield %r : [m]f32
  }
  %right = array.map (%row in %w : [n][m]f32) {
    %r = array.map (%x in %row : [m]f32) {
      %y = arith.addf %x, %c : f32
      array.yield %y : f32
    }
    array.yield %r : [m]f32
  }
  %both = array.stencil (%l2, %r2 in %left : [n][m]f32 at [[0, -1], [0, 1]] wrap, %o2, %u2 in %right : [n][m]f32 at [[-1, 0], [1, 0]] symmetric) {
    %t0 = arith.mulf %l2, %o2 : f32
    %t1 = arith.mulf %r2, %u2 : f32
    %t2 = arith.addf %t0, %t1 : f32
    array.yield %t2 : f32
  }
  // Not fed: beyond the edge stands a value that no map has made.
  %zero = arith.constant 0.0 : f32
  %kept = array.map (%row in %a : [n][m]f32) {
    %r = array.map (%x in %row : [m]f32) {
      %y = arith.addf %x, %c : f32
      array.yield %y : f32
    }
    array.yield %r : [m]f32
  }
  %constant = array.stencil (%l3, %r3 in %kept : [n][m]f32 at [[0, -1], [0, 1]] constant %zero) {
    %t0 = arith.addf %l3, %r3 : f32
    array.yield %t0 : f32
  }
  func.return %clamp, %mirror, %both, %constant : !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[n][m]f32>
}
