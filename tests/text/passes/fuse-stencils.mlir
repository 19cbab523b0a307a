// pass: builtin.module(fuse)
// A map of two stencils' results makes all three one; a stencil reads a map's result at its points; two stencils of one array; and
// those that stay: a map of another space, one that may stop, a stencil that reads the other's result near its points, and one whose
// reader stands between where something else is needed that is behind it.
func.func @of_both(%a: !array.array<[n][m]f32>, %b: !array.array<[n][m]f32>) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>) {
  %gx = array.stencil (%l, %r in %a : [n][m]f32 at [[0, -1], [0, 1]] clamp) {
    %d = arith.subf %r, %l : f32
    array.yield %d : f32
  }
  %gy = array.stencil (%u, %d in %a : [n][m]f32 at [[-1, 0], [1, 0]] clamp) {
    %e = arith.subf %d, %u : f32
    array.yield %e : f32
  }
  %s = array.map (%x in %gx : [n][m]f32, %y in %gy : [n][m]f32, %z in %b : [n][m]f32) {
    %q = array.map (%p in %x : [m]f32, %o in %y : [m]f32, %w in %z : [m]f32) {
      %pp = arith.mulf %p, %p : f32
      %oo = arith.mulf %o, %o : f32
      %po = arith.addf %pp, %oo : f32
      %f = arith.mulf %po, %w : f32
      array.yield %f : f32
    }
    array.yield %q : [m]f32
  }
  func.return %s, %gx : !array.array<[n][m]f32>, !array.array<[n][m]f32>
}
func.func @before(%a: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
  %m = array.map (%x in %a : [n]f32) {
    %e = math.exp %x : f32
    array.yield %e : f32
  }
  %s = array.stencil (%l, %r in %a : [n]f32 at [-1, 1] mirror, %o in %m : [n]f32 at [0]) {
    %d = arith.subf %r, %l : f32
    %p = arith.mulf %d, %o : f32
    array.yield %p : f32
  }
  func.return %s, %m : !array.array<[n]f32>, !array.array<[n]f32>
}
func.func @rules(%a: !array.array<[n]f32>, %zero: f32) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
  %s = array.stencil (%l, %r in %a : [n]f32 at [-1, 1] mirror) {
    %d = arith.subf %r, %l : f32
    array.yield %d : f32
  }
  %t = array.stencil (%l, %r in %a : [n]f32 at [-1, 1] constant %zero) {
    %d = arith.addf %r, %l : f32
    array.yield %d : f32
  }
  %u = array.stencil (%l, %o, %r in %a : [n]f32 at [-2, 0, 1] mirror) {
    %d = arith.addf %r, %l : f32
    %e = arith.addf %d, %o : f32
    array.yield %e : f32
  }
  func.return %s, %t, %u : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
}
func.func @sized(%a: !array.array<[n]f32>, %k: index) -> !array.array<[?]f32> {
  %s = array.stencil (%l, %r in %a : [n]f32 at [0, 2]) sizes [%k] -> [?] {
    %d = arith.subf %r, %l : f32
    array.yield %d : f32
  }
  %m = array.map (%x in %s : [?]f32) {
    %e = math.exp %x : f32
    array.yield %e : f32
  }
  func.return %m : !array.array<[?]f32>
}
func.func @stay(%a: !array.array<[n]i32>, %b: !array.array<[?]i32>, %c: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, i32, !array.array<[n]i32>) {
  %zero = arith.constant 0 : i32
  %s = array.stencil (%l, %r in %a : [n]i32 at [-1, 1] mirror) {
    %d = arith.subi %r, %l : i32
    array.yield %d : i32
  }
  %stops = array.map (%x in %s : [n]i32, %y in %c : [n]i32) {
    %e = arith.divsi %x, %y : i32
    array.yield %e : i32
  }
  %other = array.map (%x in %s : [n]i32, %y in %b : [?]i32) {
    %e = arith.addi %x, %y : i32
    array.yield %e : i32
  }
  %near = array.stencil (%x, %y in %s : [n]i32 at [0, 1] mirror) {
    %e = arith.addi %x, %y : i32
    array.yield %e : i32
  }
  %sum = array.reduce (%near : [n]i32) init (%zero : i32) combine (%x, %y) {
    %e = arith.addi %x, %y : i32
    array.yield %e : i32
  }
  %behind = array.map (%x in %near : [n]i32) {
    %e = arith.addi %x, %sum : i32
    array.yield %e : i32
  }
  func.return %stops, %other, %near, %sum, %behind : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, i32, !array.array<[n]i32>
}
// -----
// Rules and values for elements outside go with the inputs that need them: none is read of what is read at the points alone.
func.func @plain(%a: !array.array<[n]f32>, %b: !array.array<[n]f32>, %c: f32) -> !array.array<[n]f32> {
  %r = array.stencil (%x in %a : [n]f32 at [[0]] constant %c, %l, %h in %b : [n]f32 at [[-1], [1]] constant %c) {
    %y = arith.addf %l, %h : f32
    %z = arith.mulf %x, %y : f32
    array.yield %z : f32
  }
  %s = array.stencil (%x in %r : [n]f32 at [[0]] constant %c, %y in %b : [n]f32 at [[0]] constant %c) {
    %z = arith.mulf %x, %y : f32
    array.yield %z : f32
  }
  func.return %s : !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @of_both(%a: !array.array<[n][m]f32>, %b: !array.array<[n][m]f32>) -> (!array.array<[n][m]f32>, !array.array<[n][m]f32>) {
    %0:2 = array.stencil (%arg0, %arg1, %arg2, %arg3 in %a : [n][m]f32 at [[0, -1], [0, 1], [-1, 0], [1, 0]] clamp, %arg4 in %b : [n][m]f32 at [[0, 0]]) {
      %d = arith.subf %arg1, %arg0 : f32
      %e = arith.subf %arg3, %arg2 : f32
      %pp = arith.mulf %d, %d : f32
      %oo = arith.mulf %e, %e : f32
      %po = arith.addf %pp, %oo : f32
      %f = arith.mulf %po, %arg4 : f32
      array.yield %d, %f : f32, f32
    }
    func.return %0#1, %0#0 : !array.array<[n][m]f32>, !array.array<[n][m]f32>
  }
  func.func @before(%a: !array.array<[n]f32>) -> (!array.array<[n]f32>, !array.array<[n]f32>) {
    %0:2 = array.stencil (%arg0, %arg1, %arg2 in %a : [n]f32 at [0, -1, 1] mirror) {
      %e = math.exp %arg0 : f32
      %d = arith.subf %arg2, %arg1 : f32
      %p = arith.mulf %d, %e : f32
      array.yield %e, %p : f32, f32
    }
    func.return %0#1, %0#0 : !array.array<[n]f32>, !array.array<[n]f32>
  }
  func.func @rules(%a: !array.array<[n]f32>, %zero: f32) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
    %s = array.stencil (%l, %r in %a : [n]f32 at [-1, 1] mirror) {
      %d = arith.subf %r, %l : f32
      array.yield %d : f32
    }
    %t = array.stencil (%l, %r in %a : [n]f32 at [-1, 1] constant %zero) {
      %d = arith.addf %r, %l : f32
      array.yield %d : f32
    }
    %u = array.stencil (%l, %o, %r in %a : [n]f32 at [-2, 0, 1] mirror) {
      %d = arith.addf %r, %l : f32
      %e = arith.addf %d, %o : f32
      array.yield %e : f32
    }
    func.return %s, %t, %u : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
  }
  func.func @sized(%a: !array.array<[n]f32>, %k: index) -> !array.array<[?]f32> {
    %0 = array.stencil (%arg0, %arg1 in %a : [n]f32 at [0, 2]) sizes [%k] -> [?] {
      %d = arith.subf %arg1, %arg0 : f32
      %e = math.exp %d : f32
      array.yield %e : f32
    }
    func.return %0 : !array.array<[?]f32>
  }
  func.func @stay(%a: !array.array<[n]i32>, %b: !array.array<[?]i32>, %c: !array.array<[n]i32>) -> (!array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, i32, !array.array<[n]i32>) {
    %zero = arith.constant 0 : i32
    %s = array.stencil (%l, %r in %a : [n]i32 at [-1, 1] mirror) {
      %d = arith.subi %r, %l : i32
      array.yield %d : i32
    }
    %near = array.stencil (%x, %y in %s : [n]i32 at [0, 1] mirror) {
      %e = arith.addi %x, %y : i32
      array.yield %e : i32
    }
    %sum, %stops, %other = array.redomap (%arg0 in %s : [n]i32, %arg1 in %c : [n]i32, %arg2 in %b : [?]i32, %arg3 in %near : [n]i32) init (%zero : i32) map {
      %e = arith.divsi %arg0, %arg1 : i32
      %e_0 = arith.addi %arg0, %arg2 : i32
      array.yield %arg3, %e, %e_0 : i32, i32, i32
    } combine (%arg0, %arg1) {
      %e = arith.addi %arg0, %arg1 : i32
      array.yield %e : i32
    }
    %behind = array.map (%x in %near : [n]i32) {
      %e = arith.addi %x, %sum : i32
      array.yield %e : i32
    }
    func.return %stops, %other, %near, %sum, %behind : !array.array<[n]i32>, !array.array<[n]i32>, !array.array<[n]i32>, i32, !array.array<[n]i32>
  }
  func.func @plain(%a: !array.array<[n]f32>, %b: !array.array<[n]f32>, %c: f32) -> !array.array<[n]f32> {
    %0 = array.stencil (%arg0 in %a : [n]f32 at [0], %arg1, %arg2, %arg3 in %b : [n]f32 at [-1, 1, 0] constant %c) {
      %y = arith.addf %arg1, %arg2 : f32
      %z = arith.mulf %arg0, %y : f32
      %z_0 = arith.mulf %z, %arg3 : f32
      array.yield %z_0 : f32
    }
    func.return %0 : !array.array<[n]f32>
  }
}
