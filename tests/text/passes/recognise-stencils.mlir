// pass: builtin.module(recognise-stencils,canonicalize)
// Elements at held indices of maps, and maps over shifted slices, are stencils; others stay.
func.func @held(%xs: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = array.dim %xs, 0 : [n][m]f32
  %m = array.dim %xs, 1 : [n][m]f32
  %last = arith.subi %m, %one : index
  %is = array.iota %n : [n]index
  %js = array.iota %m : [m]index
  %r = array.map (%i in %is : [n]index) {
    %row = array.map (%j in %js : [m]index) {
      %left = arith.subi %j, %one : index
      %before = arith.maxsi %left, %zero : index
      %right = arith.addi %j, %two : index
      %low = arith.maxsi %right, %zero : index
      %behind = arith.minsi %low, %last : index
      %a = array.index %xs[%i, %before] : [n][m]f32
      %b = array.index %xs[%i, %behind] : [n][m]f32
      %around = arith.addi %i, %one : index
      %wrapped = arith.remui %around, %n : index
      %c = array.index %xs[%wrapped, %j] : [n][m]f32
      %short = arith.maxsi %right, %zero : index
      %d = array.index %xs[%i, %short] : [n][m]f32
      %ab = arith.addf %a, %b : f32
      %cd = arith.addf %c, %d : f32
      %e = arith.addf %ab, %cd : f32
      array.yield %e : f32
    }
    array.yield %row : [m]f32
  }
  func.return %r : !array.array<[n][m]f32>
}

func.func @shifted(%xs: !array.array<[n][m]f32>, %ys: !array.array<[p][q]f32>, %h: index, %w: index) -> !array.array<[?][?]f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %a = array.slice %xs[%zero, %one] sizes [%h, %w] strides [%one, %one] : [n][m]f32 -> [?][?]f32
  %b = array.slice %ys[%one, %one] sizes [%h, %w] strides [%one, %one] : [p][q]f32 -> [?][?]f32
  %c = array.slice %xs[%two, %zero] sizes [%h, %w] strides [%one, %one] : [n][m]f32 -> [?][?]f32
  %r = array.map (%x in %a : [?][?]f32, %y in %b : [?][?]f32, %z in %c : [?][?]f32) {
    %s = array.map (%u in %x : [?]f32, %v in %z : [?]f32, %o in %y : [?]f32) {
      %t = arith.subf %u, %v : f32
      %p = arith.mulf %t, %o : f32
      array.yield %p : f32
    }
    array.yield %s : [?]f32
  }
  func.return %r : !array.array<[?][?]f32>
}

// A loop over a constant range around each index; one that no constant ends; one whose reads do not move with it.
func.func @looped(%xs: !array.array<[n]f32>, %k: index) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = array.dim %xs, 0 : [n]f32
  %last = arith.subi %n, %c1 : index
  %is = array.iota %n : [n]index
  %r = array.map (%i in %is : [n]index) {
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (f32) {
      %along = arith.addi %i, %j : index
      %back = arith.subi %along, %c1 : index
      %low = arith.maxsi %back, %c0 : index
      %at = arith.minsi %low, %last : index
      %x = array.index %xs[%at] : [n]f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    array.yield %sum : f32
  }
  %t = array.map (%i in %is : [n]index) {
    %sum = scf.for %j = %c0 to %k step %c1 iter_args(%s = %zero) -> (f32) {
      %along = arith.addi %i, %j : index
      %at = arith.minsi %along, %last : index
      %x = array.index %xs[%at] : [n]f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    array.yield %sum : f32
  }
  %u = array.map (%i in %is : [n]index) {
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (f32) {
      %along = arith.addi %i, %c1 : index
      %at = arith.minsi %along, %last : index
      %x = array.index %xs[%at] : [n]f32
      %next = arith.mulf %s, %x : f32
      scf.yield %next : f32
    }
    array.yield %sum : f32
  }
  func.return %r, %t, %u : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @held(%xs: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
    %zero = arith.constant 0 : index
    %two = arith.constant 2 : index
    %n = array.dim %xs, 0 : [n][m]f32
    %m = array.dim %xs, 1 : [n][m]f32
    %is = array.iota %n : [n]index
    %js = array.iota %m : [m]index
    %r = array.map (%i in %is : [n]index) {
      %row = array.map (%j in %js : [m]index) {
        %right = arith.addi %j, %two : index
        %0 = array.near %xs[%i, %j] by [0, -1] clamp : [n][m]f32
        %1 = array.near %xs[%i, %j] by [0, 2] clamp : [n][m]f32
        %2 = array.near %xs[%i, %j] by [1, 0] wrap : [n][m]f32
        %short = arith.maxsi %right, %zero : index
        %d = array.index %xs[%i, %short] : [n][m]f32
        %ab = arith.addf %0, %1 : f32
        %cd = arith.addf %2, %d : f32
        %e = arith.addf %ab, %cd : f32
        array.yield %e : f32
      }
      array.yield %row : [m]f32
    }
    func.return %r : !array.array<[n][m]f32>
  }
  func.func @shifted(%xs: !array.array<[n][m]f32>, %ys: !array.array<[p][q]f32>, %h: index, %w: index) -> !array.array<[?][?]f32> {
    %0 = array.stencil (%arg0, %arg1 in %xs : [n][m]f32 at [[0, 1], [2, 0]], %arg2 in %ys : [p][q]f32 at [[1, 1]]) sizes [%h, %w] -> [?][?] {
      %t = arith.subf %arg0, %arg1 : f32
      %p = arith.mulf %t, %arg2 : f32
      array.yield %p : f32
    }
    func.return %0 : !array.array<[?][?]f32>
  }
  func.func @looped(%xs: !array.array<[n]f32>, %k: index) -> (!array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %n = array.dim %xs, 0 : [n]f32
    %last = arith.subi %n, %c1 : index
    %is = array.iota %n : [n]index
    %r = array.map (%i in %is : [n]index) {
      %0 = array.near %xs[%i] by [-1] clamp : [n]f32
      %next = arith.addf %0, %zero : f32
      %1 = array.near %xs[%i] by [0] clamp : [n]f32
      %next_0 = arith.addf %next, %1 : f32
      %2 = array.near %xs[%i] by [1] clamp : [n]f32
      %next_1 = arith.addf %next_0, %2 : f32
      array.yield %next_1 : f32
    }
    %t = array.map (%i in %is : [n]index) {
      %sum = scf.for %j = %c0 to %k step %c1 iter_args(%s = %zero) -> (f32) {
        %along = arith.addi %i, %j : index
        %at = arith.minsi %along, %last : index
        %x = array.index %xs[%at] : [n]f32
        %next = arith.addf %s, %x : f32
        scf.yield %next : f32
      }
      array.yield %sum : f32
    }
    %u = array.map (%i in %is : [n]index) {
      %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (f32) {
        %0 = array.near %xs[%i] by [1] clamp : [n]f32
        %next = arith.mulf %s, %0 : f32
        scf.yield %next : f32
      }
      array.yield %sum : f32
    }
    func.return %r, %t, %u : !array.array<[n]f32>, !array.array<[n]f32>, !array.array<[n]f32>
  }
}
