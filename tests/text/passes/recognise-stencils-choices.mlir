// pass: builtin.module(recognise-stencils)
// Indices that are brought back by choices: of a known extent a mirror, a symmetric one and a wrap by a condition of both edges; one that is
// mirrored at the wrong place, and one that is held at one edge alone, are none.
func.func @main(%a: !array.array<[8]f32>) -> (!array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c14 = arith.constant 14 : index
  %c15 = arith.constant 15 : index
  %is = array.iota %c8 : [8]index
  %mirror = array.map (%i in %is : [8]index) {
    %j = arith.addi %i, %c2 : index
    %far = arith.cmpi sge, %j, %c8 : index
    %back = arith.subi %c14, %j : index
    %at = arith.select %far, %back, %j : index
    %x = array.index %a[%at] : [8]f32
    array.yield %x : f32
  }
  %symmetric = array.map (%i in %is : [8]index) {
    %j = arith.addi %i, %c2 : index
    %far = arith.cmpi sge, %j, %c8 : index
    %back = arith.subi %c15, %j : index
    %at = arith.select %far, %back, %j : index
    %x = array.index %a[%at] : [8]f32
    array.yield %x : f32
  }
  %wrap = array.map (%i in %is : [8]index) {
    %j = arith.subi %i, %c2 : index
    %inside = arith.cmpi ult, %j, %c8 : index
    %back = arith.addi %j, %c8 : index
    %at = arith.select %inside, %j, %back : index
    %x = array.index %a[%at] : [8]f32
    array.yield %x : f32
  }
  %wrong = array.map (%i in %is : [8]index) {
    %j = arith.addi %i, %c2 : index
    %far = arith.cmpi sgt, %j, %c8 : index
    %back = arith.subi %c15, %j : index
    %at = arith.select %far, %back, %j : index
    %held = arith.minsi %at, %c8 : index
    %less = arith.subi %held, %c1 : index
    %low = arith.maxsi %less, %c0 : index
    %x = array.index %a[%low] : [8]f32
    array.yield %x : f32
  }
  %half = array.map (%i in %is : [8]index) {
    %j = arith.subi %i, %c2 : index
    %k = arith.addi %j, %c1 : index
    %negative = arith.cmpi slt, %j, %c0 : index
    %at = arith.select %negative, %c1, %k : index
    %x = array.index %a[%at] : [8]f32
    array.yield %x : f32
  }
  func.return %mirror, %symmetric, %wrap, %wrong, %half : !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>
}
// ===== expected
builtin.module {
  func.func @main(%a: !array.array<[8]f32>) -> (!array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c14 = arith.constant 14 : index
    %c15 = arith.constant 15 : index
    %is = array.iota %c8 : [8]index
    %mirror = array.map (%i in %is : [8]index) {
      %j = arith.addi %i, %c2 : index
      %far = arith.cmpi sge, %j, %c8 : index
      %back = arith.subi %c14, %j : index
      %at = arith.select %far, %back, %j : index
      %0 = array.near %a[%i] by [2] mirror : [8]f32
      array.yield %0 : f32
    }
    %symmetric = array.map (%i in %is : [8]index) {
      %j = arith.addi %i, %c2 : index
      %far = arith.cmpi sge, %j, %c8 : index
      %back = arith.subi %c15, %j : index
      %at = arith.select %far, %back, %j : index
      %0 = array.near %a[%i] by [2] symmetric : [8]f32
      array.yield %0 : f32
    }
    %wrap = array.map (%i in %is : [8]index) {
      %j = arith.subi %i, %c2 : index
      %inside = arith.cmpi ult, %j, %c8 : index
      %back = arith.addi %j, %c8 : index
      %at = arith.select %inside, %j, %back : index
      %0 = array.near %a[%i] by [-2] wrap : [8]f32
      array.yield %0 : f32
    }
    %wrong = array.map (%i in %is : [8]index) {
      %j = arith.addi %i, %c2 : index
      %far = arith.cmpi sgt, %j, %c8 : index
      %back = arith.subi %c15, %j : index
      %at = arith.select %far, %back, %j : index
      %held = arith.minsi %at, %c8 : index
      %less = arith.subi %held, %c1 : index
      %low = arith.maxsi %less, %c0 : index
      %x = array.index %a[%low] : [8]f32
      array.yield %x : f32
    }
    %half = array.map (%i in %is : [8]index) {
      %j = arith.subi %i, %c2 : index
      %k = arith.addi %j, %c1 : index
      %negative = arith.cmpi slt, %j, %c0 : index
      %at = arith.select %negative, %c1, %k : index
      %x = array.index %a[%at] : [8]f32
      array.yield %x : f32
    }
    func.return %mirror, %symmetric, %wrap, %wrong, %half : !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>, !array.array<[8]f32>
  }
}
