// side-by-side: builtin.module(int-range-optimizations)
// upstream: --int-range-optimizations
// Bounds that hold by a hair, and those that do not; loops that carry numbers; unsigned loops; calls.
func.func @carried(%n: index, %x: i32) -> (i1, i1, i1) {
  %c0 = arith.constant 0 : index
  %s = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %r:2 = scf.for %i = %c0 to %n step %s iter_args(%a = %z, %b = %c1) -> (i32, i32) {
    %t = arith.addi %a, %c1 : i32
    %v = arith.muli %b, %c5 : i32
    scf.yield %t, %v : i32, i32
  }
  %w = scf.while (%p = %z) : (i32) -> i32 {
    %less = arith.cmpi slt, %p, %x : i32
    scf.condition(%less) %p : i32
  } do {
  ^bb0(%p: i32):
    %next = arith.addi %p, %c1 : i32
    scf.yield %next : i32
  }
  %a = arith.cmpi sle, %r#0, %c5 : i32
  %b = arith.cmpi sge, %r#1, %z : i32
  %c = arith.cmpi sge, %w, %z : i32
  return %a, %b, %c : i1, i1, i1
}
// -----
func.func @signed_loop(%m: memref<i1>) {
  %c0 = arith.constant 0 : i8
  %c200 = arith.constant 200 : i8
  %c1 = arith.constant 1 : i8
  %c100 = arith.constant 100 : i8
  scf.for %i = %c0 to %c100 step %c1 : i8 {
    %a = arith.cmpi ult, %i, %c100 : i8
    %b = arith.cmpi ult, %i, %c200 : i8
    memref.store %a, %m[] : memref<i1>
    memref.store %b, %m[] : memref<i1>
  }
  return
}
// -----
func.func @remainders(%x: i32) -> (i32, i32, i32, i32, i32) {
  %cm3 = arith.constant -3 : i32
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %c9 = arith.constant 9 : i32
  %a = arith.maxsi %x, %cm3 : i32
  %around_zero = arith.minsi %a, %c5 : i32
  %r0 = arith.remsi %around_zero, %c8 : i32
  %b = arith.maxsi %x, %c0 : i32
  %positive = arith.minsi %b, %c8 : i32
  %r1 = arith.remsi %positive, %c8 : i32
  %r2 = arith.remsi %positive, %c9 : i32
  %r3 = arith.remui %positive, %c8 : i32
  %r4 = arith.remui %positive, %c9 : i32
  return %r0, %r1, %r2, %r3, %r4 : i32, i32, i32, i32, i32
}
func.func @of_remainders(%x: i32) -> (i1, i1) {
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %c9 = arith.constant 9 : i32
  %a = arith.maxui %x, %c5 : i32
  %few = arith.minui %a, %c9 : i32
  %r = arith.remsi %few, %c8 : i32
  %0 = arith.cmpi sge, %r, %c0 : i32
  %1 = arith.cmpi slt, %r, %c8 : i32
  return %0, %1 : i1, i1
}
// -----
func.func @touching(%x: i32, %y: i32) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %c5 = arith.constant 5 : i32
  %c9 = arith.constant 9 : i32
  %l = arith.maxsi %x, %c5 : i32
  %a = arith.minsi %l, %c9 : i32
  %0 = arith.cmpi slt, %a, %c5 : i32
  %1 = arith.cmpi sge, %a, %c9 : i32
  %2 = arith.cmpi sge, %a, %c5 : i32
  %3 = arith.cmpi sgt, %a, %c9 : i32
  %4 = arith.cmpi ult, %a, %c5 : i32
  %5 = arith.cmpi uge, %a, %c5 : i32
  %6 = arith.cmpi ugt, %a, %c9 : i32
  %7 = arith.cmpi ule, %a, %c9 : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}
// -----
func.func @both_readings(%x: i8, %y: i8, %z: i16) -> (i1, i1, i1, i1, i1, i1) {
  %c0 = arith.constant 0 : i8
  %c50 = arith.constant 50 : i8
  %c200 = arith.constant 200 : i8
  %c250 = arith.constant 250 : i8
  %a = arith.minui %x, %c200 : i8
  %b = arith.minui %y, %c50 : i8
  %sum = arith.addi %a, %b : i8
  %0 = arith.cmpi ule, %sum, %c250 : i8
  %c = arith.maxui %x, %c200 : i8
  %d = arith.subi %c, %b : i8
  %c150 = arith.constant 150 : i8
  %1 = arith.cmpi uge, %d, %c150 : i8
  %e = arith.cmpi slt, %c, %c0 : i8
  %w = arith.extui %a : i8 to i16
  %w200 = arith.constant 200 : i16
  %2 = arith.cmpi ule, %w, %w200 : i16
  %s = arith.extsi %c : i8 to i16
  %zero = arith.constant 0 : i16
  %3 = arith.cmpi slt, %s, %zero : i16
  %m = arith.maxsi %a, %c : i8
  %4 = arith.cmpi uge, %m, %c200 : i8
  return %0, %1, %e, %2, %3, %4 : i1, i1, i1, i1, i1, i1
}
// -----
func.func @chosen(%x: i32, %c: i1) -> (i1, i1, i1) {
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %m = arith.minui %x, %c5 : i32
  %big = arith.cmpi ugt, %m, %c7 : i32
  %small = arith.cmpi ult, %m, %c7 : i32
  %s = arith.select %big, %x, %m : i32
  %t = arith.select %small, %m, %x : i32
  %u = arith.select %c, %c9, %m : i32
  %0 = arith.cmpi ult, %s, %c7 : i32
  %1 = arith.cmpi ult, %t, %c7 : i32
  %2 = arith.cmpi ule, %u, %c9 : i32
  return %0, %1, %2 : i1, i1, i1
}
// -----
func.func private @callee(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : i32
^b:
  %big = arith.constant 1000 : i32
  return %big : i32
}
func.func @calls(%c: i1) -> (i1, i1) {
  %c2 = arith.constant 2 : i32
  %c10 = arith.constant 10 : i32
  %c1001 = arith.constant 1001 : i32
  %r = call @callee(%c2, %c) : (i32, i1) -> i32
  %s = call @callee(%c10, %c) : (i32, i1) -> i32
  %a = arith.cmpi ult, %r, %c1001 : i32
  %b = arith.cmpi ult, %s, %c10 : i32
  return %a, %b : i1, i1
}
// -----
func.func @joined(%c: i1) -> (i1, i1, i1) {
  %cm2 = arith.constant -2 : i32
  %c3 = arith.constant 3 : i32
  %c7 = arith.constant 7 : i32
  cf.cond_br %c, ^exit(%c3 : i32), ^exit(%c7 : i32)
^exit(%r: i32):
  %t = scf.if %c -> (i32) {
    scf.yield %cm2 : i32
  } else {
    scf.yield %r : i32
  }
  %0 = arith.cmpi ule, %r, %c7 : i32
  %1 = arith.cmpi sge, %t, %cm2 : i32
  %2 = arith.cmpi ule, %t, %c7 : i32
  return %0, %1, %2 : i1, i1, i1
}
// -----
func.func @quotients(%x: i32, %y: i32) -> (i1, i1, i1, i1, i1, i1) {
  %cm7 = arith.constant -7 : i32
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c10 = arith.constant 10 : i32
  %cm4 = arith.constant -4 : i32
  %cm3 = arith.constant -3 : i32
  %a = arith.maxsi %x, %cm7 : i32
  %b = arith.minsi %a, %c7 : i32
  %d0 = arith.divsi %b, %c2 : i32
  %0 = arith.cmpi sge, %d0, %cm3 : i32
  %d1 = arith.floordivsi %b, %c2 : i32
  %1 = arith.cmpi sge, %d1, %cm4 : i32
  %d2 = arith.ceildivsi %b, %c2 : i32
  %2 = arith.cmpi sle, %d2, %c4 : i32
  %u = arith.minui %x, %c10 : i32
  %d3 = arith.divui %u, %c3 : i32
  %3 = arith.cmpi ule, %d3, %c3 : i32
  %d4 = arith.ceildivui %u, %c3 : i32
  %4 = arith.cmpi ule, %d4, %c4 : i32
  %r = arith.remsi %b, %c4 : i32
  %5 = arith.cmpi sge, %r, %cm3 : i32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}
// -----
func.func @of_vectors(%x: vector<4xi32>) -> (vector<4xi1>, vector<4xi32>) {
  %c7 = arith.constant dense<7> : vector<4xi32>
  %c8 = arith.constant dense<8> : vector<4xi32>
  %m = arith.andi %x, %c7 : vector<4xi32>
  %a = arith.cmpi ult, %m, %c8 : vector<4xi32>
  %r = arith.remui %m, %c8 : vector<4xi32>
  return %a, %r : vector<4xi1>, vector<4xi32>
}
// -----
func.func @around_zero(%x: i8) -> (i1, i1) {
  %cm1 = arith.constant -1 : i8
  %c1 = arith.constant 1 : i8
  %c0 = arith.constant 0 : i8
  %a = arith.maxsi %x, %cm1 : i8
  %b = arith.minsi %a, %c1 : i8
  %0 = arith.cmpi ule, %b, %c1 : i8
  %c = arith.maxsi %b, %c0 : i8
  %1 = arith.cmpi ule, %c, %c1 : i8
  return %0, %1 : i1, i1
}
// -----
func.func @loop(%m: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %a = arith.cmpi ult, %i, %c10 : index
    %b = arith.cmpi sge, %i, %c0 : index
    %d = arith.addi %i, %c10 : index
    %e = arith.cmpi slt, %d, %c10 : index
    %r = arith.remui %i, %c10 : index
    %f = arith.divui %i, %c10 : index
    %g = arith.remsi %d, %c10 : index
    memref.store %a, %m[%i] : memref<?xi1>
    memref.store %b, %m[%r] : memref<?xi1>
    memref.store %e, %m[%f] : memref<?xi1>
    memref.store %e, %m[%g] : memref<?xi1>
  }
  return
}
// -----
func.func @masks(%x: i32) -> (i1, i1, i32, i1) {
  %c15 = arith.constant 15 : i32
  %c16 = arith.constant 16 : i32
  %c0 = arith.constant 0 : i32
  %a = arith.andi %x, %c15 : i32
  %b = arith.cmpi ult, %a, %c16 : i32
  %c = arith.cmpi slt, %a, %c0 : i32
  %d = arith.minui %x, %c15 : i32
  %e = arith.cmpi ugt, %d, %c15 : i32
  %s = arith.shrui %a, %c16 : i32
  return %b, %c, %s, %e : i1, i1, i32, i1
}
// -----
func.func @exts(%x: i8) -> (i1, i1, i1) {
  %c255 = arith.constant 255 : i32
  %c128 = arith.constant 128 : i32
  %m128 = arith.constant -128 : i32
  %a = arith.extui %x : i8 to i32
  %b = arith.extsi %x : i8 to i32
  %c = arith.cmpi ule, %a, %c255 : i32
  %d = arith.cmpi slt, %b, %c128 : i32
  %e = arith.cmpi sge, %b, %m128 : i32
  return %c, %d, %e : i1, i1, i1
}
// -----
func.func @selects(%c: i1) -> (i1, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %a = arith.select %c, %c1, %c2 : i32
  %b = arith.cmpi slt, %a, %c3 : i32
  %d = arith.divui %a, %c3 : i32
  return %b, %d : i1, i32
}
// -----
func.func private @callee(%x: index) -> index {
  %c4 = arith.constant 4 : index
  %a = arith.minui %x, %c4 : index
  return %a : index
}
func.func @caller(%x: index) -> i1 {
  %c5 = arith.constant 5 : index
  %a = call @callee(%x) : (index) -> index
  %b = arith.cmpi ult, %a, %c5 : index
  return %b : i1
}
// -----
func.func @dims(%m: memref<4x?xf32>) -> (i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.dim %m, %c0 : memref<4x?xf32>
  %b = memref.dim %m, %c1 : memref<4x?xf32>
  %c4 = arith.constant 4 : index
  %d = arith.cmpi eq, %a, %c4 : index
  %e = arith.cmpi sge, %b, %c0 : index
  return %d, %e : i1, i1
}
// -----
func.func @branches(%x: i32) -> i1 {
  %c10 = arith.constant 10 : i32
  %c20 = arith.constant 20 : i32
  %c = arith.cmpi ult, %x, %c10 : i32
  %r = scf.if %c -> i32 {
    scf.yield %c10 : i32
  } else {
    scf.yield %c20 : i32
  }
  %d = arith.cmpi ule, %r, %c20 : i32
  return %d : i1
}
