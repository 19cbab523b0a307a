// side-by-side: builtin.module(loop-invariant-code-motion)
// upstream: --loop-invariant-code-motion
// Ops that leave loops: none that depends on carried values, has effects or may fail; regions whose parts all leave. Apart:
// remainders by what may be 0, which upstream takes out of loops that may run never.
func.func private @use(i32)
func.func @carried(%n: index, %x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    %s = arith.addi %x, %y : i32
    %t = arith.addi %a, %s : i32
    %u = arith.muli %s, %s : i32
    %v = arith.addi %t, %u : i32
    scf.yield %v : i32
  }
  return %r : i32
}
// -----
func.func @while_two_regions(%x: i32, %y: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %lim = arith.muli %y, %y : i32
    %c = arith.cmpi slt, %a, %lim : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%b: i32):
    %step = arith.addi %y, %y : i32
    %next = arith.addi %b, %step : i32
    scf.yield %next : i32
  }
  return %r : i32
}
// -----
func.func @nested(%n: index, %x: i32, %c: i1, %d: i1, %m: memref<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %0 = scf.if %c -> (i32) {
        %1 = scf.if %d -> (i32) {
          %2 = arith.addi %x, %x : i32
          scf.yield %2 : i32
        } else {
          scf.yield %x : i32
        }
        scf.yield %1 : i32
      } else {
        %3 = arith.muli %x, %x : i32
        scf.yield %3 : i32
      }
      %4 = scf.if %c -> (i32) {
        %5 = memref.load %m[] : memref<i32>
        scf.yield %5 : i32
      } else {
        scf.yield %x : i32
      }
      %6 = arith.addi %0, %4 : i32
      memref.store %6, %m[] : memref<i32>
      %k = arith.index_cast %i : index to i32
      %7 = arith.addi %k, %x : i32
      memref.store %7, %m[] : memref<i32>
    }
  }
  return
}
// -----
func.func @may_fail(%n: index, %x: i32, %y: i32, %m: memref<?xi32>, %v: vector<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %z = arith.constant 0 : i32
  %cm1 = arith.constant -1 : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.divsi %x, %y : i32
    %1 = arith.divsi %x, %c3 : i32
    %2 = arith.divsi %x, %z : i32
    %3 = arith.divsi %x, %cm1 : i32
    %4 = arith.ceildivui %x, %y : i32
    %5 = arith.remui %x, %c3 : i32
    %6 = arith.ceildivsi %x, %y : i32
    %7 = arith.shli %x, %y : i32
    %8 = memref.dim %m, %c0 : memref<?xi32>
    %9 = vector.extract %v[%c1] : i32 from vector<4xi32>
    %10 = arith.floordivsi %x, %c3 : i32
    %11 = arith.shrui %x, %y : i32
    "x.use"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11) : (i32, i32, i32, i32, i32, i32, i32, i32, index, i32, i32, i32) -> ()
  }
  return
}
// -----
func.func @unknown_and_allocated(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = "x.unknown"() : () -> i32
    %1 = arith.addi %0, %x : i32
    %a = memref.alloc() : memref<4xi32>
    %b = memref.cast %a : memref<4xi32> to memref<?xi32>
    %2 = arith.muli %x, %x : i32
    memref.store %2, %b[%c0] : memref<?xi32>
    memref.dealloc %a : memref<4xi32>
    "x.use"(%1) : (i32) -> ()
  }
  return
}
// -----
func.func @inner_loop_leaves(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %x) -> (i32) {
      %t = arith.muli %b, %x : i32
      scf.yield %t : i32
    }
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %x) -> (i32) {
      %t = arith.muli %b, %x : i32
      scf.yield %t : i32
    }
    %u = arith.addi %a, %s : i32
    %v = arith.addi %u, %q : i32
    scf.yield %v : i32
  }
  return %r : i32
}
// -----
func.func @parallel_and_forall(%n: index, %x: f32, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    %p = arith.mulf %x, %x : f32
    %k = arith.addi %i, %c1 : index
    %l = arith.addi %k, %n : index
    memref.store %p, %m[%l] : memref<?xf32>
    scf.reduce 
  }
  scf.forall (%i) in (%n) {
    %p = arith.addf %x, %x : f32
    memref.store %p, %m[%i] : memref<?xf32>
  }
  return
}
// -----
func.func @nested(%n: index, %x: f32, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = arith.addf %x, %x : f32
      %b = arith.index_cast %i : index to i64
      %c = arith.sitofp %b : i64 to f32
      %d = arith.mulf %a, %c : f32
      memref.store %d, %m[%j] : memref<?xf32>
    }
  }
  return
}
// -----
func.func @ifs(%n: index, %c: i1, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = scf.if %c -> i32 {
      %a = arith.addi %x, %x : i32
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    }
    "x.use"(%r) : (i32) -> ()
  }
  return
}
// -----
func.func @while(%x: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %k = arith.addi %x, %x : i32
    %c = arith.cmpi slt, %a, %k : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%b: i32):
    %l = arith.muli %x, %x : i32
    %t = arith.addi %b, %l : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// -----
func.func @memory(%n: index, %m: memref<4xf32>, %i: index, %o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %d = memref.dim %o, %c0 : memref<?xf32>
    %a = memref.load %m[%i] : memref<4xf32>
    %e = memref.subview %o[%c0] [%d] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    "x.use"(%a, %e) : (f32, memref<?xf32, strided<[1], offset: ?>>) -> ()
  }
  return
}
// -----
func.func @parallel(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %y = arith.mulf %x, %x : f32
    memref.store %y, %m[%i] : memref<?xf32>
    scf.reduce
  }
  scf.forall (%i) in (%n) {
    %y = arith.addf %x, %x : f32
    memref.store %y, %m[%i] : memref<?xf32>
  }
  return
}
