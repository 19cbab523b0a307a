// pass: builtin.module(recognise-stencils,canonicalize)
// Indices that are wrapped by a remainder or a choice, with any extent where one step leaves it.
func.func @wrapped(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = array.dim %xs, 0 : [n]f32
  %is = array.iota %n : [n]index
  %r = array.map (%i in %is : [n]index) {
    %left = arith.subi %i, %c1 : index
    %raised = arith.addi %left, %n : index
    %a = arith.remui %raised, %n : index
    %x0 = array.index %xs[%a] : [n]f32
    %high = arith.addi %n, %i : index
    %lower = arith.subi %high, %c1 : index
    %b = arith.remsi %lower, %n : index
    %x1 = array.index %xs[%b] : [n]f32
    %far = arith.subi %i, %c3 : index
    %rest = arith.remsi %far, %n : index
    %positive = arith.addi %rest, %n : index
    %c = arith.remsi %positive, %n : index
    %x2 = array.index %xs[%c] : [n]f32
    %below = arith.cmpi slt, %left, %c0 : index
    %d = arith.select %below, %raised, %left : index
    %x3 = array.index %xs[%d] : [n]f32
    %right = arith.addi %i, %c1 : index
    %inside = arith.cmpi slt, %right, %n : index
    %back = arith.subi %right, %n : index
    %e = arith.select %inside, %right, %back : index
    %x4 = array.index %xs[%e] : [n]f32
    %s0 = arith.addf %x0, %x1 : f32
    %s1 = arith.addf %s0, %x2 : f32
    %s2 = arith.addf %s1, %x3 : f32
    %s3 = arith.addf %s2, %x4 : f32
    array.yield %s3 : f32
  }
  func.return %r : !array.array<[n]f32>
}

// Nothing is known of an extent that is enough for these: by three it may leave an array of two, and a mirror one of one.
func.func @too_far(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = array.dim %xs, 0 : [n]f32
  %last = arith.subi %n, %c1 : index
  %end = arith.addi %last, %last : index
  %is = array.iota %n : [n]index
  %r = array.map (%i in %is : [n]index) {
    %far = arith.subi %i, %c3 : index
    %raised = arith.addi %far, %n : index
    %a = arith.remui %raised, %n : index
    %x0 = array.index %xs[%a] : [n]f32
    %below = arith.cmpi slt, %far, %c0 : index
    %b = arith.select %below, %raised, %far : index
    %x1 = array.index %xs[%b] : [n]f32
    %rest = arith.remui %far, %n : index
    %again = arith.addi %rest, %n : index
    %c = arith.remui %again, %n : index
    %x2 = array.index %xs[%c] : [n]f32
    %right = arith.addi %i, %c1 : index
    %turned = arith.subi %end, %right : index
    %d = arith.minsi %right, %turned : index
    %x3 = array.index %xs[%d] : [n]f32
    %s0 = arith.addf %x0, %x1 : f32
    %s1 = arith.addf %s0, %x2 : f32
    %s2 = arith.addf %s1, %x3 : f32
    array.yield %s2 : f32
  }
  func.return %r : !array.array<[n]f32>
}

// With an extent that is known; and a loop whose bounds are made of constants.
func.func @known(%xs: !array.array<[9]f32>) -> (!array.array<[9]f32>, !array.array<[9]f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %reach = arith.constant 4 : index
  %n = arith.constant 9 : index
  %end = arith.constant 16 : index
  %is = array.iota %n : [9]index
  %twice = arith.addi %reach, %reach : index
  %side = arith.addi %twice, %c1 : index
  %mirrored = array.map (%i in %is : [9]index) {
    %sum = scf.for %j = %c0 to %side step %c1 iter_args(%s = %zero) -> (f32) {
      %along = arith.addi %i, %j : index
      %at = arith.subi %along, %reach : index
      %minus = arith.subi %c0, %at : index
      %low = arith.maxsi %at, %minus : index
      %turned = arith.subi %end, %low : index
      %held = arith.minsi %low, %turned : index
      %x = array.index %xs[%held] : [9]f32
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    array.yield %sum : f32
  }
  %wrapped = array.map (%i in %is : [9]index) {
    %left = arith.subi %i, %reach : index
    %below = arith.cmpi slt, %left, %c0 : index
    %raised = arith.addi %left, %n : index
    %a = arith.select %below, %raised, %left : index
    %x0 = array.index %xs[%a] : [9]f32
    %b = arith.remui %raised, %n : index
    %x1 = array.index %xs[%b] : [9]f32
    %right = arith.addi %i, %end : index
    %c = arith.remui %right, %n : index
    %x2 = array.index %xs[%c] : [9]f32
    %s0 = arith.addf %x0, %x1 : f32
    %s1 = arith.addf %s0, %x2 : f32
    array.yield %s1 : f32
  }
  func.return %mirrored, %wrapped : !array.array<[9]f32>, !array.array<[9]f32>
}

// A period that is one too large and a mirror beside the edge, which are clamped; a side that is not held and a sum that is brought back by
// another number, which are none.
func.func @others(%xs: !array.array<[9]f32>) -> !array.array<[9]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 9 : index
  %end = arith.constant 17 : index
  %is = array.iota %n : [9]index
  %r = array.map (%i in %is : [9]index) {
    %right = arith.addi %i, %c1 : index
    %turned = arith.subi %end, %right : index
    %a = arith.minsi %right, %turned : index
    %x0 = array.index %xs[%a] : [9]f32
    %minus = arith.subi %c0, %right : index
    %b = arith.maxsi %right, %minus : index
    %x1 = array.index %xs[%b] : [9]f32
    %left = arith.subi %i, %c1 : index
    %below = arith.cmpi slt, %left, %c0 : index
    %raised = arith.addi %i, %n : index
    %c = arith.select %below, %raised, %left : index
    %x2 = array.index %xs[%c] : [9]f32
    %s0 = arith.addf %x0, %x1 : f32
    %opposite = arith.subi %c0, %i : index
    %d = arith.maxsi %left, %opposite : index
    %x3 = array.index %xs[%d] : [9]f32
    %s1 = arith.addf %s0, %x2 : f32
    %s2 = arith.addf %s1, %x3 : f32
    array.yield %s2 : f32
  }
  func.return %r : !array.array<[9]f32>
}

// With an extent that the host asks before a loop; the element at the point is a neighbour of others.
func.func @asked(%xs: !array.array<[n]f32>, %k: index) -> !array.array<[n]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = array.dim %xs, 0 : [n]f32
  %last = arith.subi %n, %c1 : index
  %end = arith.muli %last, %c2 : index
  %is = array.iota %n : [n]index
  %r = scf.for %t = %c0 to %k step %c1 iter_args(%u = %xs) -> (!array.array<[n]f32>) {
    %v = array.map (%i in %is : [n]index) {
      %left = arith.subi %i, %c2 : index
      %minus = arith.subi %c2, %i : index
      %low = arith.maxsi %left, %minus : index
      %turned = arith.subi %end, %low : index
      %held = arith.minsi %low, %turned : index
      %x0 = array.index %u[%held] : [n]f32
      %x1 = array.index %u[%i] : [n]f32
      %s = arith.addf %x0, %x1 : f32
      array.yield %s : f32
    }
    scf.yield %v : !array.array<[n]f32>
  }
  func.return %r : !array.array<[n]f32>
}
// ===== expected
builtin.module {
  func.func @wrapped(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
    %n = array.dim %xs, 0 : [n]f32
    %is = array.iota %n : [n]index
    %r = array.map (%i in %is : [n]index) {
      %0 = array.near %xs[%i] by [-1] wrap : [n]f32
      %1 = array.near %xs[%i] by [-1] wrap : [n]f32
      %2 = array.near %xs[%i] by [-3] wrap : [n]f32
      %3 = array.near %xs[%i] by [-1] wrap : [n]f32
      %4 = array.near %xs[%i] by [1] wrap : [n]f32
      %s0 = arith.addf %0, %1 : f32
      %s1 = arith.addf %s0, %2 : f32
      %s2 = arith.addf %s1, %3 : f32
      %s3 = arith.addf %s2, %4 : f32
      array.yield %s3 : f32
    }
    func.return %r : !array.array<[n]f32>
  }
  func.func @too_far(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %n = array.dim %xs, 0 : [n]f32
    %last = arith.subi %n, %c1 : index
    %end = arith.addi %last, %last : index
    %is = array.iota %n : [n]index
    %r = array.map (%i in %is : [n]index) {
      %far = arith.subi %i, %c3 : index
      %raised = arith.addi %far, %n : index
      %a = arith.remui %raised, %n : index
      %x0 = array.index %xs[%a] : [n]f32
      %below = arith.cmpi slt, %far, %c0 : index
      %b = arith.select %below, %raised, %far : index
      %x1 = array.index %xs[%b] : [n]f32
      %rest = arith.remui %far, %n : index
      %again = arith.addi %rest, %n : index
      %c = arith.remui %again, %n : index
      %x2 = array.index %xs[%c] : [n]f32
      %right = arith.addi %i, %c1 : index
      %turned = arith.subi %end, %right : index
      %d = arith.minsi %right, %turned : index
      %x3 = array.index %xs[%d] : [n]f32
      %s0 = arith.addf %x0, %x1 : f32
      %s1 = arith.addf %s0, %x2 : f32
      %s2 = arith.addf %s1, %x3 : f32
      array.yield %s2 : f32
    }
    func.return %r : !array.array<[n]f32>
  }
  func.func @known(%xs: !array.array<[9]f32>) -> (!array.array<[9]f32>, !array.array<[9]f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %n = arith.constant 9 : index
    %is = array.iota %n : [9]index
    %mirrored = array.map (%i in %is : [9]index) {
      %0 = array.near %xs[%i] by [-4] mirror : [9]f32
      %next = arith.addf %0, %zero : f32
      %1 = array.near %xs[%i] by [-3] mirror : [9]f32
      %next_0 = arith.addf %next, %1 : f32
      %2 = array.near %xs[%i] by [-2] mirror : [9]f32
      %next_1 = arith.addf %next_0, %2 : f32
      %3 = array.near %xs[%i] by [-1] mirror : [9]f32
      %next_2 = arith.addf %next_1, %3 : f32
      %4 = array.near %xs[%i] by [0] mirror : [9]f32
      %next_3 = arith.addf %next_2, %4 : f32
      %5 = array.near %xs[%i] by [1] mirror : [9]f32
      %next_4 = arith.addf %next_3, %5 : f32
      %6 = array.near %xs[%i] by [2] mirror : [9]f32
      %next_5 = arith.addf %next_4, %6 : f32
      %7 = array.near %xs[%i] by [3] mirror : [9]f32
      %next_6 = arith.addf %next_5, %7 : f32
      %8 = array.near %xs[%i] by [4] mirror : [9]f32
      %next_7 = arith.addf %next_6, %8 : f32
      array.yield %next_7 : f32
    }
    %wrapped = array.map (%i in %is : [9]index) {
      %0 = array.near %xs[%i] by [-4] wrap : [9]f32
      %1 = array.near %xs[%i] by [-4] wrap : [9]f32
      %2 = array.near %xs[%i] by [-2] wrap : [9]f32
      %s0 = arith.addf %0, %1 : f32
      %s1 = arith.addf %s0, %2 : f32
      array.yield %s1 : f32
    }
    func.return %mirrored, %wrapped : !array.array<[9]f32>, !array.array<[9]f32>
  }
  func.func @others(%xs: !array.array<[9]f32>) -> !array.array<[9]f32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 9 : index
    %c-1 = arith.constant -1 : index
    %is = array.iota %n : [9]index
    %r = array.map (%i in %is : [9]index) {
      %right = arith.addi %i, %c1 : index
      %0 = array.near %xs[%i] by [1] clamp : [9]f32
      %1 = arith.subi %c-1, %i : index
      %b = arith.maxsi %right, %1 : index
      %x1 = array.index %xs[%b] : [9]f32
      %left = arith.subi %i, %c1 : index
      %below = arith.cmpi slt, %left, %c0 : index
      %raised = arith.addi %i, %n : index
      %c = arith.select %below, %raised, %left : index
      %x2 = array.index %xs[%c] : [9]f32
      %s0 = arith.addf %0, %x1 : f32
      %2 = array.near %xs[%i] by [-1] clamp : [9]f32
      %s1 = arith.addf %s0, %x2 : f32
      %s2 = arith.addf %s1, %2 : f32
      array.yield %s2 : f32
    }
    func.return %r : !array.array<[9]f32>
  }
  func.func @asked(%xs: !array.array<[n]f32>, %k: index) -> !array.array<[n]f32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %n = array.dim %xs, 0 : [n]f32
    %last = arith.subi %n, %c1 : index
    %end = arith.muli %last, %c2 : index
    %is = array.iota %n : [n]index
    %0 = array.dim %xs, 0 : [n]f32
    %1 = arith.cmpi sge, %0, %c3 : index
    %2 = scf.if %1 -> (!array.array<[n]f32>) {
      %r = scf.for %t = %c0 to %k step %c1 iter_args(%u = %xs) -> (!array.array<[n]f32>) {
        %v = array.map (%i in %is : [n]index) {
          %3 = array.near %u[%i] by [-2] mirror : [n]f32
          %4 = array.near %u[%i] by [0] mirror : [n]f32
          %s = arith.addf %3, %4 : f32
          array.yield %s : f32
        }
        scf.yield %v : !array.array<[n]f32>
      }
      scf.yield %r : !array.array<[n]f32>
    } else {
      %r = scf.for %t = %c0 to %k step %c1 iter_args(%u = %xs) -> (!array.array<[n]f32>) {
        %v = array.map (%i in %is : [n]index) {
          %left = arith.subi %i, %c2 : index
          %minus = arith.subi %c2, %i : index
          %low = arith.maxsi %left, %minus : index
          %turned = arith.subi %end, %low : index
          %held = arith.minsi %low, %turned : index
          %x0 = array.index %u[%held] : [n]f32
          %x1 = array.index %u[%i] : [n]f32
          %s = arith.addf %x0, %x1 : f32
          array.yield %s : f32
        }
        scf.yield %v : !array.array<[n]f32>
      }
      scf.yield %r : !array.array<[n]f32>
    }
    func.return %2 : !array.array<[n]f32>
  }
}
