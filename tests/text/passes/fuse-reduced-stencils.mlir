// pass: builtin.module(fuse)
// A reduction makes the stencil that it alone reads; not one that is returned, too, and not one of more neighbours than are cheap to read.
func.func @sums(%a: !array.array<[n]f32>, %b: !array.array<[n]f32>) -> (f32, f32, !array.array<[n]f32>, f32) {
  %zero = arith.constant 0.0 : f32
  %s = array.stencil (%l, %r in %a : [n]f32 at [-1, 1] mirror) {
    %d = arith.subf %r, %l : f32
    array.yield %d : f32
  }
  %x = array.reduce (%s : [n]f32) init (%zero : f32) combine (%p, %q) {
    %t = arith.addf %p, %q : f32
    array.yield %t : f32
  }
  %kept = array.stencil (%l, %r in %a : [n]f32 at [-2, 1] clamp) {
    %d = arith.mulf %r, %l : f32
    array.yield %d : f32
  }
  %y = array.reduce (%kept : [n]f32) init (%zero : f32) combine (%p, %q) {
    %t = arith.addf %p, %q : f32
    array.yield %t : f32
  }
  %many = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10 in %b : [n]f32 box [5] clamp) {
    %d = arith.mulf %x0, %x10 : f32
    array.yield %d : f32
  }
  %z = array.reduce (%many : [n]f32) init (%zero : f32) combine (%p, %q) {
    %t = arith.addf %p, %q : f32
    array.yield %t : f32
  }
  func.return %x, %y, %kept, %z : f32, f32, !array.array<[n]f32>, f32
}
// ===== expected
builtin.module {
  func.func @sums(%a: !array.array<[n]f32>, %b: !array.array<[n]f32>) -> (f32, f32, !array.array<[n]f32>, f32) {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = array.dim %a, 0 : [n]f32
    %1 = array.iota %0 : [n]index
    %kept = array.stencil (%l, %r in %a : [n]f32 at [-2, 1] clamp) {
      %d = arith.mulf %r, %l : f32
      array.yield %d : f32
    }
    %many = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10 in %b : [n]f32 at [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5] clamp) {
      %d = arith.mulf %x0, %x10 : f32
      array.yield %d : f32
    }
    %x, %y, %z = array.redomap (%arg0 in %1 : [n]index, %arg1 in %kept : [n]f32, %arg2 in %many : [n]f32) init (%zero : f32, %zero : f32, %zero : f32) map {
      %2 = array.near %a[%arg0] by [-1] mirror : [n]f32
      %3 = array.near %a[%arg0] by [1] mirror : [n]f32
      %d = arith.subf %3, %2 : f32
      array.yield %d, %arg1, %arg2 : f32, f32, f32
    } combine (%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) {
      %t = arith.addf %arg0, %arg3 : f32
      %t_0 = arith.addf %arg1, %arg4 : f32
      %t_1 = arith.addf %arg2, %arg5 : f32
      array.yield %t, %t_0, %t_1 : f32, f32, f32
    }
    func.return %x, %y, %kept, %z : f32, f32, !array.array<[n]f32>, f32
  }
}
