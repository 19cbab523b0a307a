// pass: builtin.module(recognise-stencils)
// Arrays of extents without a name that loops carry: of the extent that the first one has, if each iteration yields such an array, also one of
// another place; of any extent else.
func.func @kept(%a: !array.array<[?]f32>, %k: index) -> !array.array<[?]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.dim %a, 0 : [?]f32
  %is = array.iota %n : [?]index
  %b = array.map (%x in %a : [?]f32) {
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  }
  %r:2 = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a, %w = %b) -> (!array.array<[?]f32>, !array.array<[?]f32>) {
    %v = array.map (%i in %is : [?]index) {
      %left = arith.subi %i, %c1 : index
      %low = arith.maxsi %left, %c0 : index
      %x = array.index %w[%low] : [?]f32
      array.yield %x : f32
    }
    scf.yield %w, %v : !array.array<[?]f32>, !array.array<[?]f32>
  }
  func.return %r#0 : !array.array<[?]f32>
}
func.func @shorter(%a: !array.array<[?]f32>, %m: index, %k: index) -> !array.array<[?]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.dim %a, 0 : [?]f32
  %is = array.iota %n : [?]index
  %js = array.iota %m : [?]index
  %r = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a) -> (!array.array<[?]f32>) {
    %v = array.map (%i in %is : [?]index) {
      %left = arith.subi %i, %c1 : index
      %low = arith.maxsi %left, %c0 : index
      %x = array.index %u[%low] : [?]f32
      array.yield %x : f32
    }
    %w = array.map (%j in %js : [?]index) {
      %x = array.index %v[%j] : [?]f32
      array.yield %x : f32
    }
    scf.yield %w : !array.array<[?]f32>
  }
  func.return %r : !array.array<[?]f32>
}
func.func @other(%a: !array.array<[?]f32>, %b: !array.array<[?]f32>, %k: index) -> !array.array<[?]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.dim %a, 0 : [?]f32
  %is = array.iota %n : [?]index
  %r:2 = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a, %w = %b) -> (!array.array<[?]f32>, !array.array<[?]f32>) {
    %v = array.map (%i in %is : [?]index) {
      %left = arith.subi %i, %c1 : index
      %low = arith.maxsi %left, %c0 : index
      %x = array.index %u[%low] : [?]f32
      array.yield %x : f32
    }
    scf.yield %w, %v : !array.array<[?]f32>, !array.array<[?]f32>
  }
  func.return %r#0 : !array.array<[?]f32>
}
// ===== expected
builtin.module {
  func.func @kept(%a: !array.array<[?]f32>, %k: index) -> !array.array<[?]f32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = array.dim %a, 0 : [?]f32
    %is = array.iota %n : [?]index
    %b = array.map (%x in %a : [?]f32) {
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    }
    %r:2 = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a, %w = %b) -> (!array.array<[?]f32>, !array.array<[?]f32>) {
      %v = array.map (%i in %is : [?]index) {
        %left = arith.subi %i, %c1 : index
        %low = arith.maxsi %left, %c0 : index
        %0 = array.near %w[%i] by [-1] clamp : [?]f32
        array.yield %0 : f32
      }
      scf.yield %w, %v : !array.array<[?]f32>, !array.array<[?]f32>
    }
    func.return %r#0 : !array.array<[?]f32>
  }
  func.func @shorter(%a: !array.array<[?]f32>, %m: index, %k: index) -> !array.array<[?]f32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = array.dim %a, 0 : [?]f32
    %is = array.iota %n : [?]index
    %js = array.iota %m : [?]index
    %r = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a) -> (!array.array<[?]f32>) {
      %v = array.map (%i in %is : [?]index) {
        %left = arith.subi %i, %c1 : index
        %low = arith.maxsi %left, %c0 : index
        %x = array.index %u[%low] : [?]f32
        array.yield %x : f32
      }
      %w = array.map (%j in %js : [?]index) {
        %x = array.index %v[%j] : [?]f32
        array.yield %x : f32
      }
      scf.yield %w : !array.array<[?]f32>
    }
    func.return %r : !array.array<[?]f32>
  }
  func.func @other(%a: !array.array<[?]f32>, %b: !array.array<[?]f32>, %k: index) -> !array.array<[?]f32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = array.dim %a, 0 : [?]f32
    %is = array.iota %n : [?]index
    %r:2 = scf.for %t = %c0 to %k step %c1 iter_args(%u = %a, %w = %b) -> (!array.array<[?]f32>, !array.array<[?]f32>) {
      %v = array.map (%i in %is : [?]index) {
        %left = arith.subi %i, %c1 : index
        %low = arith.maxsi %left, %c0 : index
        %x = array.index %u[%low] : [?]f32
        array.yield %x : f32
      }
      scf.yield %w, %v : !array.array<[?]f32>, !array.array<[?]f32>
    }
    func.return %r#0 : !array.array<[?]f32>
  }
}
