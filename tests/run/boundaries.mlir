// run
// Stencils of 3x3 as maps that read neighbours, with each boundary: clamped, mirrored (the edge itself is not repeated), wrapped, and
// a constant. Elements to the right count twice, those to the left not at all.
// inputs: [[1, 2], [3, 4]]
// inputs: random:HxW where H = 2 3 17; W = 2 5 33
// numpy: h, w = xs.shape
// numpy: pads = [np.zeros((h + 2, w + 2), xs.dtype)] * 4 if xs.size == 0 else [np.pad(xs, 1, mode="edge"), np.pad(xs, 1, mode="reflect"), np.pad(xs, 1, mode="wrap"), np.pad(xs, 1, constant_values=7)]
// numpy: sums = [sum(j * p[i : i + h, j : j + w] for i in range(3) for j in range(3)) for p in pads]
// numpy: sums[0], sums[1], sums[2], sums[3]
// shapes: 6
// structure: kernel.segmap 3
// versions: kernel.segmap 3
func.func private @clamp(%xs: !array.array<[h][w]i32>) -> !array.array<[h][w]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h = array.dim %xs, 0 : [h][w]i32
  %w = array.dim %xs, 1 : [h][w]i32
  %bottom = arith.subi %h, %c1 : index
  %right = arith.subi %w, %c1 : index
  %ys = array.iota %h : [h]index
  %is = array.iota %w : [w]index
  %out = array.map (%y in %ys : [h]index) {
    %row = array.map (%x in %is : [w]index) {
      %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (i32) {
        %down = arith.addi %y, %i : index
        %a = arith.subi %down, %c1 : index
        %a0 = arith.maxsi %a, %c0 : index
        %av = arith.minsi %a0, %bottom : index
        %line = scf.for %j = %c0 to %c3 step %c1 iter_args(%inner = %outer) -> (i32) {
          %along = arith.addi %x, %j : index
          %b = arith.subi %along, %c1 : index
          %b0 = arith.maxsi %b, %c0 : index
          %bv = arith.minsi %b0, %right : index
          %value = array.index %xs[%av, %bv] : [h][w]i32
          %times = arith.index_cast %j : index to i32
          %weighted = arith.muli %value, %times : i32
          %next = arith.addi %inner, %weighted : i32
          scf.yield %next : i32
        }
        scf.yield %line : i32
      }
      array.yield %sum : i32
    }
    array.yield %row : [w]i32
  }
  func.return %out : !array.array<[h][w]i32>
}
func.func private @mirror(%xs: !array.array<[h][w]i32>) -> !array.array<[h][w]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h = array.dim %xs, 0 : [h][w]i32
  %w = array.dim %xs, 1 : [h][w]i32
  %bottom = arith.subi %h, %c1 : index
  %right = arith.subi %w, %c1 : index
  %ys = array.iota %h : [h]index
  %is = array.iota %w : [w]index
  %out = array.map (%y in %ys : [h]index) {
    %row = array.map (%x in %is : [w]index) {
      %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (i32) {
        %down = arith.addi %y, %i : index
        %a = arith.subi %down, %c1 : index
        %an = arith.subi %c0, %a : index
        %a0 = arith.maxsi %a, %an : index
        %at = arith.addi %bottom, %bottom : index
        %ab = arith.subi %at, %a0 : index
        %av = arith.minsi %a0, %ab : index
        %line = scf.for %j = %c0 to %c3 step %c1 iter_args(%inner = %outer) -> (i32) {
          %along = arith.addi %x, %j : index
          %b = arith.subi %along, %c1 : index
          %bn = arith.subi %c0, %b : index
          %b0 = arith.maxsi %b, %bn : index
          %bt = arith.addi %right, %right : index
          %bb = arith.subi %bt, %b0 : index
          %bv = arith.minsi %b0, %bb : index
          %value = array.index %xs[%av, %bv] : [h][w]i32
          %times = arith.index_cast %j : index to i32
          %weighted = arith.muli %value, %times : i32
          %next = arith.addi %inner, %weighted : i32
          scf.yield %next : i32
        }
        scf.yield %line : i32
      }
      array.yield %sum : i32
    }
    array.yield %row : [w]i32
  }
  func.return %out : !array.array<[h][w]i32>
}
func.func private @wrap(%xs: !array.array<[h][w]i32>) -> !array.array<[h][w]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h = array.dim %xs, 0 : [h][w]i32
  %w = array.dim %xs, 1 : [h][w]i32
  %bottom = arith.subi %h, %c1 : index
  %right = arith.subi %w, %c1 : index
  %ys = array.iota %h : [h]index
  %is = array.iota %w : [w]index
  %out = array.map (%y in %ys : [h]index) {
    %row = array.map (%x in %is : [w]index) {
      %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (i32) {
        %down = arith.addi %y, %i : index
        %a = arith.subi %down, %c1 : index
        %a0 = arith.addi %a, %h : index
        %av = arith.remui %a0, %h : index
        %line = scf.for %j = %c0 to %c3 step %c1 iter_args(%inner = %outer) -> (i32) {
          %along = arith.addi %x, %j : index
          %b = arith.subi %along, %c1 : index
          %b0 = arith.addi %b, %w : index
          %bv = arith.remui %b0, %w : index
          %value = array.index %xs[%av, %bv] : [h][w]i32
          %times = arith.index_cast %j : index to i32
          %weighted = arith.muli %value, %times : i32
          %next = arith.addi %inner, %weighted : i32
          scf.yield %next : i32
        }
        scf.yield %line : i32
      }
      array.yield %sum : i32
    }
    array.yield %row : [w]i32
  }
  func.return %out : !array.array<[h][w]i32>
}
func.func private @constant(%xs: !array.array<[h][w]i32>) -> !array.array<[h][w]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h = array.dim %xs, 0 : [h][w]i32
  %w = array.dim %xs, 1 : [h][w]i32
  %bottom = arith.subi %h, %c1 : index
  %right = arith.subi %w, %c1 : index
  %ys = array.iota %h : [h]index
  %is = array.iota %w : [w]index
  %out = array.map (%y in %ys : [h]index) {
    %row = array.map (%x in %is : [w]index) {
      %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (i32) {
        %down = arith.addi %y, %i : index
        %a = arith.subi %down, %c1 : index
        %line = scf.for %j = %c0 to %c3 step %c1 iter_args(%inner = %outer) -> (i32) {
          %along = arith.addi %x, %j : index
          %b = arith.subi %along, %c1 : index
          %above = arith.cmpi ult, %a, %h : index
          %beside = arith.cmpi ult, %b, %w : index
          %inside = arith.andi %above, %beside : i1
          %value = scf.if %inside -> (i32) {
            %e = array.index %xs[%a, %b] : [h][w]i32
            scf.yield %e : i32
          } else {
            %seven = arith.constant 7 : i32
            scf.yield %seven : i32
          }
          %times = arith.index_cast %j : index to i32
          %weighted = arith.muli %value, %times : i32
          %next = arith.addi %inner, %weighted : i32
          scf.yield %next : i32
        }
        scf.yield %line : i32
      }
      array.yield %sum : i32
    }
    array.yield %row : [w]i32
  }
  func.return %out : !array.array<[h][w]i32>
}
func.func @main(%xs: !array.array<[h][w]i32>) -> (!array.array<[h][w]i32>, !array.array<[h][w]i32>, !array.array<[h][w]i32>, !array.array<[h][w]i32>) {
  %clamp = func.call @clamp(%xs) : (!array.array<[h][w]i32>) -> !array.array<[h][w]i32>
  %mirror = func.call @mirror(%xs) : (!array.array<[h][w]i32>) -> !array.array<[h][w]i32>
  %wrap = func.call @wrap(%xs) : (!array.array<[h][w]i32>) -> !array.array<[h][w]i32>
  %constant = func.call @constant(%xs) : (!array.array<[h][w]i32>) -> !array.array<[h][w]i32>
  func.return %clamp, %mirror, %wrap, %constant : !array.array<[h][w]i32>, !array.array<[h][w]i32>, !array.array<[h][w]i32>, !array.array<[h][w]i32>
}
