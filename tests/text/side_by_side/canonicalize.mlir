// side-by-side: builtin.module(canonicalize)
// upstream: --canonicalize
// Unreachable blocks, block arguments that are one value, loops that run never or once, regions that come to one block.
func.func @unreachable(%x: i32) -> i32 {
  cf.br ^exit(%x : i32)
^dead(%y: i32):
  %s = arith.addi %y, %y : i32
  cf.cond_br %c, ^dead(%s : i32), ^exit(%s : i32)
^dead2:
  %c = arith.constant true
  cf.br ^dead(%x : i32)
^exit(%r: i32):
  return %r : i32
}
// -----
func.func @same_argument(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^exit(%x, %y : i32, i32)
^b:
  cf.br ^exit(%x, %x : i32, i32)
^exit(%r: i32, %s: i32):
  return %r, %s : i32, i32
}
// -----
func.func @circle(%c: i1, %x: i32) -> i32 {
  cf.br ^head(%x : i32)
^head(%r: i32):
  cf.cond_br %c, ^head(%r : i32), ^exit
^exit:
  return %r : i32
}
// -----
func.func @merged_blocks(%c: i1, %x: i32, %m: memref<i32>) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %x, %m[] : memref<i32>
  cf.br ^exit
^b:
  memref.store %x, %m[] : memref<i32>
  cf.br ^exit
^exit:
  return %x : i32
}
// -----
func.func @merged_with_arguments(%c: i1, %x: i32, %y: i32, %m: memref<i32>) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %x, %m[] : memref<i32>
  return %x : i32
^b:
  memref.store %y, %m[] : memref<i32>
  return %y : i32
}
// -----
func.func @switches(%x: i32, %y: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  cf.switch %c7 : i32, [
    default: ^a(%x : i32),
    7: ^b(%y : i32),
    8: ^a(%y : i32)
  ]
^a(%p: i32):
  return %p : i32
^b(%q: i32):
  cf.switch %q : i32, [
    default: ^c,
    1: ^c,
    2: ^d
  ]
^c:
  return %x : i32
^d:
  return %c7 : i32
}
// -----
func.func @conditions(%c: i1, %x: i32, %y: i32) -> (i32, i1) {
  cf.cond_br %c, ^a, ^b
^a:
  %s = arith.select %c, %x, %y : i32
  return %s, %c : i32, i1
^b:
  %t = arith.select %c, %x, %y : i32
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  return %t, %n : i32, i1
}
// -----
func.func @loops(%n: index, %x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %never = scf.for %i = %c3 to %c0 step %c1 iter_args(%a = %x) -> (i32) {
    %s = arith.addi %a, %y : i32
    scf.yield %s : i32
  }
  %once = scf.for %i = %c0 to %c1 step %c3 iter_args(%a = %x) -> (i32) {
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %a, %k : i32
    %t = arith.addi %s, %y : i32
    scf.yield %t : i32
  }
  %invariant:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    %s = arith.muli %b, %a : i32
    scf.yield %a, %s : i32, i32
  }
  %swapped:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    scf.yield %b, %a : i32, i32
  }
  return %never, %once, %invariant#1, %swapped#0 : i32, i32, i32, i32
}
// -----
func.func @whiles(%x: i32, %y: i32, %c: i1) -> i32 {
  %b:3 = scf.while (%p = %x, %q = %y) : (i32, i32) -> (i32, i32, i32) {
    %less = arith.cmpi slt, %p, %q : i32
    scf.condition(%less) %p, %q, %p : i32, i32, i32
  } do {
  ^bb0(%p: i32, %q: i32, %r: i32):
    %s = arith.addi %p, %r : i32
    scf.yield %s, %q : i32, i32
  }
  return %b#2 : i32
}
// -----
func.func @ifs(%c: i1, %d: i1, %x: i32, %y: i32, %m: memref<i32>) -> (i32, i32, i1) {
  %a = scf.if %c -> (i32) {
    %0 = scf.if %c -> (i32) {
      scf.yield %x : i32
    } else {
      memref.store %x, %m[] : memref<i32>
      scf.yield %y : i32
    }
    scf.yield %0 : i32
  } else {
    scf.yield %y : i32
  }
  %b:2 = scf.if %c -> (i32, i1) {
    memref.store %x, %m[] : memref<i32>
    %true = arith.constant true
    scf.yield %x, %true : i32, i1
  } else {
    %false = arith.constant false
    scf.yield %x, %false : i32, i1
  }
  scf.if %c {
    scf.if %d {
      memref.store %y, %m[] : memref<i32>
    }
  }
  scf.if %c {
  } else {
    memref.store %y, %m[] : memref<i32>
  }
  return %a, %b#0, %b#1 : i32, i32, i1
}
// -----
func.func @in_regions(%x: i32, %c: i1) -> (i32, i32) {
  %a = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield %x : i32
  ^b:
    %s = arith.addi %x, %x : i32
    scf.yield %s : i32
  }
  %b = scf.execute_region -> i32 {
    %s = arith.addi %x, %x : i32
    scf.yield %s : i32
  }
  return %a, %b : i32, i32
}
// -----
module {
  "x.graph"() ({
    %0 = arith.addi %1, %2 : i32
    %1 = arith.constant 1 : i32
    %2 = arith.constant 2 : i32
    %3 = arith.muli %4, %2 : i32
    %4 = "x.val"() : () -> i32
    "x.use"(%0, %3) : (i32, i32) -> ()
  }) : () -> ()
  %5 = arith.addi %6, %7 : i32
  %6 = arith.constant 1 : i32
  %7 = arith.constant 2 : i32
  "x.use"(%5) : (i32) -> ()
}
// -----
func.func @memory(%m: memref<4x?xf32>, %i: index, %x: f32) -> (index, index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %m, %c0 : memref<4x?xf32>
  %d1 = memref.dim %m, %c1 : memref<4x?xf32>
  %k = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
  %e0 = memref.dim %k, %c0 : memref<?x?xf32>
  %a = memref.alloc(%d1) : memref<4x?xf32>
  %f1 = memref.dim %a, %c1 : memref<4x?xf32>
  memref.copy %m, %m : memref<4x?xf32> to memref<4x?xf32>
  memref.store %x, %a[%c0, %i] : memref<4x?xf32>
  memref.dealloc %a : memref<4x?xf32>
  %s = memref.subview %m[0, 0] [4, %d1] [1, 1] : memref<4x?xf32> to memref<4x?xf32, strided<[?, 1]>>
  %l = memref.load %s[%c0, %i] : memref<4x?xf32, strided<[?, 1]>>
  %t = arith.addi %d0, %e0 : index
  return %t, %f1, %l : index, index, f32
}
// -----
func.func @vectors(%v: vector<4xf32>, %w: vector<2x4xf32>, %x: f32, %i: index) -> (f32, vector<4xf32>, vector<4xf32>, f32, vector<4xf32>) {
  %b = vector.broadcast %x : f32 to vector<4xf32>
  %e = vector.extract %b[2] : f32 from vector<4xf32>
  %ins = vector.insert %v, %w[1] : vector<4xf32> into vector<2x4xf32>
  %ext = vector.extract %ins[1] : vector<4xf32> from vector<2x4xf32>
  %ext0 = vector.extract %ins[0] : vector<4xf32> from vector<2x4xf32>
  %s = vector.shuffle %v, %v [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  %t = vector.transpose %w, [0, 1] : vector<2x4xf32> to vector<2x4xf32>
  %u = vector.extract %t[0, 3] : f32 from vector<2x4xf32>
  return %e, %ext, %ext0, %u, %s : f32, vector<4xf32>, vector<4xf32>, f32, vector<4xf32>
}
// -----
func.func @calls_and_asserts(%x: i32, %c: i1) -> i32 {
  %true = arith.constant true
  cf.assert %true, "never fails"
  cf.assert %c, "may fail"
  %f = constant @callee : (i32) -> i32
  %r = call_indirect %f(%x) : (i32) -> i32
  return %r : i32
}
func.func private @callee(%x: i32) -> i32
// -----
func.func @flags_in_both(%x: i32) -> (i32, i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %a = arith.muli %x, %c3 overflow<nsw> : i32
  %b = arith.muli %a, %c4 overflow<nsw, nuw> : i32
  %c = arith.addi %x, %c3 overflow<nsw, nuw> : i32
  %d = arith.addi %c, %c4 overflow<nsw> : i32
  %e = arith.addi %c, %c4 overflow<nuw> : i32
  %f = arith.subi %c, %c4 overflow<nsw> : i32
  return %b, %d, %e, %f : i32, i32, i32, i32
}
