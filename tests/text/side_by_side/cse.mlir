// side-by-side: builtin.module(cse)
// upstream: --cse
// Equal ops in sight of one another: across regions, blocks and isolated ops; reads with writes in between; regions.
// Apart: reads in other blocks, and operands of commutative ops in regions in any order, which only Segra merges.
module {
  func.func @f(%x: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %s = arith.addi %x, %c1 : i32
    return %s : i32
  }
  func.func @g(%x: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %t = arith.constant 1 : i32
    %s = arith.addi %x, %c1 : i32
    %u = arith.addi %t, %x : i32
    %v = arith.muli %s, %u : i32
    return %v : i32
  }
}
// -----
func.func @branches(%c: i1, %x: i32, %m: memref<i32>) -> i32 {
  %a = arith.addi %x, %x : i32
  cf.cond_br %c, ^l, ^r
^l:
  %b = arith.addi %x, %x : i32
  %d = arith.muli %x, %x : i32
  memref.store %d, %m[] : memref<i32>
  cf.br ^exit(%b : i32)
^r:
  %e = arith.muli %x, %x : i32
  memref.store %e, %m[] : memref<i32>
  cf.br ^exit(%e : i32)
^exit(%r: i32):
  %g = arith.muli %x, %x : i32
  %h = arith.addi %a, %g : i32
  %k = arith.addi %h, %r : i32
  return %k : i32
}
// -----
func.func @unreachable(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  return %a : i32
^dead:
  %b = arith.addi %x, %x : i32
  %c = arith.addi %x, %x : i32
  %d = arith.addi %b, %c : i32
  "x.use"(%d) : (i32) -> ()
  cf.br ^dead
}
// -----
func.func @regions(%c: i1, %x: i32, %n: index) -> (i32, i32, i32, i32) {
  %a = scf.if %c -> (i32) {
    %s = arith.addi %x, %x : i32
    scf.yield %s : i32
  } else {
    scf.yield %x : i32
  }
  %b = scf.if %c -> (i32) {
    %s = arith.addi %x, %x : i32
    scf.yield %s : i32
  } else {
    scf.yield %x : i32
  }
  %d = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    %s = arith.addi %x, %x : i32
    scf.yield %s : i32
  }
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %e = scf.for %i = %i0 to %n step %i1 iter_args(%p = %x) -> (i32) {
    %s = arith.muli %p, %x : i32
    scf.yield %s : i32
  }
  %f = scf.for %j = %i0 to %n step %i1 iter_args(%q = %x) -> (i32) {
    %s = arith.muli %q, %x : i32
    scf.yield %s : i32
  }
  %g = scf.for %j = %i0 to %n step %i1 iter_args(%q = %x) -> (i32) {
    %s = arith.subi %x, %q : i32
    scf.yield %s : i32
  }
  %h = arith.addi %e, %f : i32
  %k = arith.addi %h, %g : i32
  return %a, %b, %d, %k : i32, i32, i32, i32
}
// -----
func.func @reads(%m: memref<4xi32>, %k: memref<4xi32>, %i: index, %j: index, %x: i32, %c: i1) -> (i32, i32, i32) {
  %0 = memref.load %m[%i] : memref<4xi32>
  %1 = memref.load %m[%i] : memref<4xi32>
  %2 = memref.load %m[%j] : memref<4xi32>
  %s = arith.addi %0, %1 : i32
  %t = arith.addi %s, %2 : i32
  memref.store %x, %k[%i] : memref<4xi32>
  %3 = memref.load %m[%i] : memref<4xi32>
  %u = arith.addi %t, %3 : i32
  scf.if %c {
    "x.writes"() : () -> ()
    %4 = memref.load %m[%i] : memref<4xi32>
    "x.pure_or_not"(%4) : (i32) -> ()
    %5 = memref.load %m[%i] : memref<4xi32>
    "x.pure_or_not"(%5) : (i32) -> ()
  }
  %6 = memref.load %m[%i] : memref<4xi32>
  %7 = memref.dim %m, %i : memref<4xi32>
  %8 = memref.dim %m, %i : memref<4xi32>
  %9 = memref.load %m[%7] : memref<4xi32>
  %10 = memref.load %m[%8] : memref<4xi32>
  %v = arith.addi %9, %10 : i32
  return %u, %6, %v : i32, i32, i32
}
// -----
func.func @attributes_and_types(%x: f32, %y: f32, %v: vector<4xf32>) -> (f32, f32, f32, i1, i1, vector<4xf32>, vector<4xf32>) {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %x, %y fastmath<fast> : f32
  %c = arith.addf %y, %x : f32
  %d = arith.cmpf olt, %x, %y : f32
  %e = arith.cmpf ogt, %y, %x : f32
  %f = vector.shuffle %v, %v [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  %g = vector.shuffle %v, %v [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  return %a, %b, %c, %d, %e, %f, %g : f32, f32, f32, i1, i1, vector<4xf32>, vector<4xf32>
}
// -----
func.func @in_loops(%n: index, %m: memref<i32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[] : memref<i32>
  scf.for %i = %c0 to %n step %c1 {
    %1 = memref.load %m[] : memref<i32>
    %2 = memref.load %m[] : memref<i32>
    %3 = arith.addi %1, %2 : i32
    %4 = arith.addi %3, %0 : i32
    memref.store %4, %m[] : memref<i32>
    %5 = memref.load %m[] : memref<i32>
    %6 = memref.load %m[] : memref<i32>
    %7 = arith.addi %5, %6 : i32
    "x.use"(%7) : (i32) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %1 = memref.load %m[] : memref<i32>
    %2 = arith.muli %x, %1 : i32
    scf.for %j = %c0 to %n step %c1 {
      %3 = memref.load %m[] : memref<i32>
      %4 = arith.muli %x, %3 : i32
      "x.use"(%2, %4) : (i32, i32) -> ()
    }
  }
  return
}
// -----
func.func @allocations(%x: i32) -> (memref<4xi32>, memref<4xi32>) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %c = memref.alloc() : memref<4xi32>
  %0 = memref.cast %a : memref<4xi32> to memref<?xi32>
  %1 = memref.cast %a : memref<4xi32> to memref<?xi32>
  "x.use"(%0, %1) : (memref<?xi32>, memref<?xi32>) -> ()
  return %a, %b : memref<4xi32>, memref<4xi32>
}
// -----
module {
  "x.graph"() ({
    %0 = arith.addi %2, %3 : i32
    %1 = arith.addi %2, %3 : i32
    %2 = "x.val"() : () -> i32
    %3 = arith.constant 3 : i32
    "x.use"(%0, %1) : (i32, i32) -> ()
  }) : () -> ()
  %4 = arith.addi %6, %7 : i32
  %5 = arith.addi %6, %7 : i32
  %6 = "x.val"() : () -> i32
  %7 = arith.constant 3 : i32
  %8 = arith.constant 3 : i32
  "x.use"(%4, %5, %8) : (i32, i32, i32) -> ()
  func.func @isolated() -> i32 {
    %c3 = arith.constant 3 : i32
    return %c3 : i32
  }
}
// -----
func.func @commute(%x: i32, %y: i32) -> (i32, i32, i32) {
  %a = arith.addi %x, %y : i32
  %b = arith.addi %y, %x : i32
  %c = arith.subi %x, %y : i32
  %d = arith.subi %y, %x : i32
  %e = arith.muli %x, %y overflow<nsw> : i32
  %f = arith.muli %x, %y : i32
  "x.use"(%e, %f, %c, %d) : (i32, i32, i32, i32) -> ()
  return %a, %b, %c : i32, i32, i32
}
// -----
func.func @regions(%c: i1, %x: i32) -> (i32, i32) {
  %r = scf.if %c -> i32 {
    %a = arith.addi %x, %x : i32
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  %s = scf.if %c -> i32 {
    %a = arith.addi %x, %x : i32
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  return %r, %s : i32, i32
}
// -----
func.func @loads(%m: memref<4xf32>, %n: memref<4xf32>, %i: index, %x: f32) -> (f32, f32, f32, f32) {
  %a = memref.load %m[%i] : memref<4xf32>
  %b = memref.load %m[%i] : memref<4xf32>
  memref.store %x, %n[%i] : memref<4xf32>
  %c = memref.load %m[%i] : memref<4xf32>
  %d = memref.load %m[%i] : memref<4xf32>
  return %a, %b, %c, %d : f32, f32, f32, f32
}
// -----
func.func @blocks(%c: i1, %x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  cf.cond_br %c, ^a, ^b
^a:
  %b = arith.addi %x, %x : i32
  cf.br ^c(%b : i32)
^b:
  %d = arith.muli %x, %x : i32
  cf.br ^c(%d : i32)
^c(%y: i32):
  %e = arith.muli %x, %x : i32
  %f = arith.addi %e, %y : i32
  %g = arith.addi %a, %f : i32
  return %g : i32
}
// -----
func.func @nested(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.addi %x, %x : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> i32 {
    %b = arith.addi %x, %x : i32
    %t = arith.addi %s, %b : i32
    %u = arith.addi %s, %b : i32
    %v = arith.muli %t, %u : i32
    scf.yield %v : i32
  }
  %z = arith.addi %r, %a : i32
  return %z : i32
}
// -----
func.func @unknown_ops(%x: i32) -> (i32, i32) {
  %a = "x.a"(%x) : (i32) -> i32
  %b = "x.a"(%x) : (i32) -> i32
  %dead = arith.addi %x, %x : i32
  return %a, %b : i32, i32
}
// -----
func.func @attrs(%x: f32) -> (f32, f32, f32) {
  %a = arith.addf %x, %x fastmath<fast> : f32
  %b = arith.addf %x, %x : f32
  %c = arith.addf %x, %x {tag} : f32
  return %a, %b, %c : f32, f32, f32
}
// -----
func.func @graph(%x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %a = arith.addi %x, %x : i32
    %b = arith.addi %x, %x : i32
    %c = arith.muli %a, %b : i32
    scf.yield %c : i32
  }
  return %r : i32
}
// -----
func.func @allocs() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  return %a, %b : memref<4xf32>, memref<4xf32>
}
// -----
func.func @poison() -> (i32, i32) {
  %a = ub.poison : i32
  %b = ub.poison : i32
  return %a, %b : i32, i32
}
// -----
func.func @reads(%m: memref<4xf32>, %i: index) -> (f32, f32) {
  %a = memref.load %m[%i] : memref<4xf32>
  "x.unknown"() : () -> ()
  %b = memref.load %m[%i] : memref<4xf32>
  return %a, %b : f32, f32
}
