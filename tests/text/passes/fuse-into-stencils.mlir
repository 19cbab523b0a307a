// pass: builtin.module(fuse)
// Maps that feed a stencil: one is computed by it; one stays, where its other reader is, one for its work, one for a
// constant beyond the edge, and one over arrays whose extents may differ.
func.func @main(%a: !array.array<[n][m]f32>, %b: !array.array<[?]f32>, %c: !array.array<[?]f32>, %d: !array.array<[k]f32>) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[k]f32>, !array.array<[k]f32>, !array.array<[k]f32>, !array.array<[?]f32>) {
  %s = array.map (%row in %a : [n][m]f32) {
    %q = array.map (%x in %row : [m]f32) {
      %y = arith.mulf %x, %x : f32
      array.yield %y : f32
    }
    array.yield %q : [m]f32
  }
  %fed = array.stencil (%p0, %p1, %p2 in %s : [n][m]f32 at [[-1, 0], [0, 1], [1, -1]] wrap, %own in %a : [n][m]f32 at [[0, 0]]) {
    %t0 = arith.addf %p0, %p1 : f32
    %t1 = arith.addf %t0, %p2 : f32
    %t2 = arith.mulf %t1, %own : f32
    array.yield %t2 : f32
  }
  %e = array.map (%row in %a : [n][m]f32) {
    %q = array.map (%x in %row : [m]f32) {
      %y = math.exp %x : f32
      array.yield %y : f32
    }
    array.yield %q : [m]f32
  }
  %much = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15, %x16, %x17, %x18, %x19, %x20, %x21, %x22, %x23, %x24 in %e : [n][m]f32 box [2, 2] clamp) {
    %t1 = arith.addf %x0, %x1 : f32
    %t2 = arith.addf %t1, %x2 : f32
    %t3 = arith.addf %t2, %x3 : f32
    %t4 = arith.addf %t3, %x4 : f32
    %t5 = arith.addf %t4, %x5 : f32
    %t6 = arith.addf %t5, %x6 : f32
    %t7 = arith.addf %t6, %x7 : f32
    %t8 = arith.addf %t7, %x8 : f32
    %t9 = arith.addf %t8, %x9 : f32
    %t10 = arith.addf %t9, %x10 : f32
    %t11 = arith.addf %t10, %x11 : f32
    %t12 = arith.addf %t11, %x12 : f32
    %t13 = arith.addf %t12, %x13 : f32
    %t14 = arith.addf %t13, %x14 : f32
    %t15 = arith.addf %t14, %x15 : f32
    %t16 = arith.addf %t15, %x16 : f32
    %t17 = arith.addf %t16, %x17 : f32
    %t18 = arith.addf %t17, %x18 : f32
    %t19 = arith.addf %t18, %x19 : f32
    %t20 = arith.addf %t19, %x20 : f32
    %t21 = arith.addf %t20, %x21 : f32
    %t22 = arith.addf %t21, %x22 : f32
    %t23 = arith.addf %t22, %x23 : f32
    %t24 = arith.addf %t23, %x24 : f32
    array.yield %t24 : f32
  }
  %doubled = array.map (%x in %d : [k]f32) {
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  }
  %shared = array.stencil (%u0, %u1 in %doubled : [k]f32 at [-1, 1] clamp) {
    %t = arith.mulf %u0, %u1 : f32
    array.yield %t : f32
  }
  %zero = arith.constant 0.0 : f32
  %negated = array.map (%x in %d : [k]f32) {
    %y = arith.negf %x : f32
    array.yield %y : f32
  }
  %bordered = array.stencil (%v0, %v1 in %negated : [k]f32 at [-1, 1] constant %zero) {
    %t = arith.mulf %v0, %v1 : f32
    array.yield %t : f32
  }
  %products = array.map (%x in %b : [?]f32, %y in %c : [?]f32) {
    %z = arith.mulf %x, %y : f32
    array.yield %z : f32
  }
  %c3 = arith.constant 3 : index
  %unknown = array.stencil (%w0, %w1, %w2 in %products : [?]f32 at [0, 1, 2]) sizes [%c3] -> [?] {
    %p = arith.mulf %w0, %w1 : f32
    %t = arith.mulf %p, %w2 : f32
    array.yield %t : f32
  }
  func.return %fed, %much, %doubled, %shared, %bordered, %unknown : !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[k]f32>, !array.array<[k]f32>, !array.array<[k]f32>, !array.array<[?]f32>
}
// ===== expected
builtin.module {
  func.func @main(%a: !array.array<[n][m]f32>, %b: !array.array<[?]f32>, %c: !array.array<[?]f32>, %d: !array.array<[k]f32>) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[k]f32>, !array.array<[k]f32>, !array.array<[k]f32>, !array.array<[?]f32>) {
    %0 = array.stencil (%arg0, %arg1, %arg2 in %a : [n][m]f32 at [[-1, 0], [0, 1], [1, -1]] wrap, %arg3 in %a : [n][m]f32 at [[0, 0]]) {
      %y = arith.mulf %arg0, %arg0 : f32
      %y_0 = arith.mulf %arg1, %arg1 : f32
      %y_1 = arith.mulf %arg2, %arg2 : f32
      %t0 = arith.addf %y, %y_0 : f32
      %t1 = arith.addf %t0, %y_1 : f32
      %t2 = arith.mulf %t1, %arg3 : f32
      array.yield %t2 : f32
    }
    %e = array.map (%row in %a : [n][m]f32) {
      %q = array.map (%x in %row : [m]f32) {
        %y = math.exp %x : f32
        array.yield %y : f32
      }
      array.yield %q : [m]f32
    }
    %much = array.stencil (%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15, %x16, %x17, %x18, %x19, %x20, %x21, %x22, %x23, %x24 in %e : [n][m]f32 box [2, 2] clamp) {
      %t1 = arith.addf %x0, %x1 : f32
      %t2 = arith.addf %t1, %x2 : f32
      %t3 = arith.addf %t2, %x3 : f32
      %t4 = arith.addf %t3, %x4 : f32
      %t5 = arith.addf %t4, %x5 : f32
      %t6 = arith.addf %t5, %x6 : f32
      %t7 = arith.addf %t6, %x7 : f32
      %t8 = arith.addf %t7, %x8 : f32
      %t9 = arith.addf %t8, %x9 : f32
      %t10 = arith.addf %t9, %x10 : f32
      %t11 = arith.addf %t10, %x11 : f32
      %t12 = arith.addf %t11, %x12 : f32
      %t13 = arith.addf %t12, %x13 : f32
      %t14 = arith.addf %t13, %x14 : f32
      %t15 = arith.addf %t14, %x15 : f32
      %t16 = arith.addf %t15, %x16 : f32
      %t17 = arith.addf %t16, %x17 : f32
      %t18 = arith.addf %t17, %x18 : f32
      %t19 = arith.addf %t18, %x19 : f32
      %t20 = arith.addf %t19, %x20 : f32
      %t21 = arith.addf %t20, %x21 : f32
      %t22 = arith.addf %t21, %x22 : f32
      %t23 = arith.addf %t22, %x23 : f32
      %t24 = arith.addf %t23, %x24 : f32
      array.yield %t24 : f32
    }
    %doubled, %negated = array.map (%arg0 in %d : [k]f32) {
      %y = arith.addf %arg0, %arg0 : f32
      %y_0 = arith.negf %arg0 : f32
      array.yield %y, %y_0 : f32, f32
    }
    %shared = array.stencil (%u0, %u1 in %doubled : [k]f32 at [-1, 1] clamp) {
      %t = arith.mulf %u0, %u1 : f32
      array.yield %t : f32
    }
    %zero = arith.constant 0.000000e+00 : f32
    %bordered = array.stencil (%v0, %v1 in %negated : [k]f32 at [-1, 1] constant %zero) {
      %t = arith.mulf %v0, %v1 : f32
      array.yield %t : f32
    }
    %products = array.map (%x in %b : [?]f32, %y in %c : [?]f32) {
      %z = arith.mulf %x, %y : f32
      array.yield %z : f32
    }
    %c3 = arith.constant 3 : index
    %unknown = array.stencil (%w0, %w1, %w2 in %products : [?]f32 at [0, 1, 2]) sizes [%c3] -> [?] {
      %p = arith.mulf %w0, %w1 : f32
      %t = arith.mulf %p, %w2 : f32
      array.yield %t : f32
    }
    func.return %0, %much, %doubled, %shared, %bordered, %unknown : !array.array<[n][m]f32>, !array.array<[n][m]f32>, !array.array<[k]f32>, !array.array<[k]f32>, !array.array<[k]f32>, !array.array<[?]f32>
  }
}
