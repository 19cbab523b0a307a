// side-by-side: builtin.module(canonicalize)
// upstream: --canonicalize
// Regions: nested and repeated conditions, loop-carried values, parallel loops, switches; blocks.
func.func @if_nested(%c: i1, %d: i1) -> i32 {
  %r = scf.if %c -> (i32) {
    %s = scf.if %c -> (i32) {
      %a = "x.a"() : () -> i32
      scf.yield %a : i32
    } else {
      %b = "x.b"() : () -> i32
      scf.yield %b : i32
    }
    scf.yield %s : i32
  } else {
    %t = scf.if %c -> (i32) {
      %a = "x.c"() : () -> i32
      scf.yield %a : i32
    } else {
      %b = "x.d"() : () -> i32
      scf.yield %b : i32
    }
    scf.yield %t : i32
  }
  return %r : i32
}
// -----
func.func @if_combine(%c: i1) {
  scf.if %c {
    "x.a"() : () -> ()
  } else {
    "x.b"() : () -> ()
  }
  scf.if %c {
    "x.c"() : () -> ()
  }
  return
}
// -----
func.func @if_combine_not(%c: i1) -> (i32, i32) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  %r = scf.if %c -> i32 {
    %a = "x.a"() : () -> i32
    scf.yield %a : i32
  } else {
    %b = "x.b"() : () -> i32
    scf.yield %b : i32
  }
  %s = scf.if %n -> i32 {
    %a = "x.c"() : () -> i32
    scf.yield %a : i32
  } else {
    %b = "x.d"(%r) : (i32) -> i32
    scf.yield %b : i32
  }
  return %r, %s : i32, i32
}
// -----
func.func @if_to_select(%c: i1, %x: i32, %y: i32) -> (i32, i32, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %r:3 = scf.if %c -> (i32, i32, i1) {
    scf.yield %x, %x, %true : i32, i32, i1
  } else {
    scf.yield %y, %x, %false : i32, i32, i1
  }
  return %r#0, %r#1, %r#2 : i32, i32, i1
}
// -----
func.func @if_and(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      "x.a"() : () -> ()
    }
  }
  return
}
// -----
func.func @if_and_values(%c: i1, %d: i1, %x: i32) -> i32 {
  %r = scf.if %c -> i32 {
    %s = scf.if %d -> i32 {
      %a = "x.a"() : () -> i32
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %s : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}
// -----
func.func @if_conditions(%c: i1) -> (i1, i1) {
  %r:2 = scf.if %c -> (i1, i1) {
    %a = "x.a"(%c) : (i1) -> i1
    scf.yield %a, %c : i1, i1
  } else {
    %b = "x.b"(%c) : (i1) -> i1
    scf.yield %b, %c : i1, i1
  }
  return %r#0, %r#1 : i1, i1
}
// -----
func.func @if_empty(%c: i1) {
  scf.if %c {
  } else {
    "x.a"() : () -> ()
  }
  scf.if %c {
  }
  return
}
// -----
func.func @if_unused(%c: i1) -> i32 {
  %r:2 = scf.if %c -> (i32, i32) {
    %a = "x.a"() : () -> i32
    %b = arith.constant 1 : i32
    scf.yield %a, %b : i32, i32
  } else {
    %a = "x.b"() : () -> i32
    %b = arith.constant 2 : i32
    scf.yield %a, %b : i32, i32
  }
  return %r#0 : i32
}
// -----
func.func @for_trips(%x: i32, %n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = scf.for %i = %c4 to %c0 step %c1 iter_args(%s = %x) -> i32 {
    %t = "x.a"(%s) : (i32) -> i32
    scf.yield %t : i32
  }
  %b = scf.for %i = %c0 to %c4 step %c4 iter_args(%s = %x) -> i32 {
    %t = "x.b"(%s, %i) : (i32, index) -> i32
    scf.yield %t : i32
  }
  %c = scf.for %i = %n to %n step %c1 iter_args(%s = %x) -> i32 {
    %t = "x.c"(%s) : (i32) -> i32
    scf.yield %t : i32
  }
  return %a, %b, %c : i32, i32, i32
}
// -----
func.func @for_args(%n: index, %x: i32, %y: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %x, %d = %y) -> (i32, i32, i32, i32) {
    %t = "x.a"(%a, %b, %c) : (i32, i32, i32) -> i32
    scf.yield %x, %b, %t, %t : i32, i32, i32, i32
  }
  return %r#0, %r#1, %r#2 : i32, i32, i32
}
// -----
func.func @for_same(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {
    %t = "x.a"(%a) : (i32) -> i32
    %u = "x.b"(%b) : (i32) -> i32
    scf.yield %t, %t : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// -----
func.func @for_pure_unused(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %t = arith.addi %a, %a : i32
    scf.yield %t : i32
  }
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}
// -----
func.func @for_cast(%t: memref<4xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.cast %t : memref<4xf32> to memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> memref<?xf32> {
    %u = "x.a"(%a) : (memref<?xf32>) -> memref<?xf32>
    scf.yield %u : memref<?xf32>
  }
  return %r : memref<?xf32>
}
// -----
func.func @while_cond(%x: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %c = "x.cond"(%a) : (i32) -> i1
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%b: i32):
    %t = "x.a"(%b) : (i32) -> i32
    scf.yield %t : i32
  }
  return %r : i32
}
// -----
func.func @while_unused(%x: i32, %y: f32) -> i32 {
  %r:3 = scf.while (%a = %x, %b = %y) : (i32, f32) -> (i32, f32, i32) {
    %c = "x.cond"(%a) : (i32) -> i1
    scf.condition(%c) %a, %b, %a : i32, f32, i32
  } do {
  ^bb0(%d: i32, %e: f32, %f: i32):
    %t = "x.a"(%f) : (i32) -> i32
    scf.yield %t, %e : i32, f32
  }
  return %r#0 : i32
}
// -----
func.func @while_known(%c: i1) -> i1 {
  %r = scf.while (%a = %c) : (i1) -> i1 {
    %d = "x.cond"() : () -> i1
    scf.condition(%d) %d : i1
  } do {
  ^bb0(%b: i1):
    "x.use"(%b) : (i1) -> ()
    scf.yield %b : i1
  }
  return %r : i1
}
// -----
func.func @while_invariant(%x: i32, %y: i32) -> (i32, i32) {
  %r:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
    %c = "x.cond"(%a, %b) : (i32, i32) -> i1
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%d: i32, %e: i32):
    %t = "x.a"(%d, %e) : (i32, i32) -> i32
    scf.yield %t, %e : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// -----
func.func @parallel(%m: memref<10xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c1) step (%c1, %c1) {
    memref.store %x, %m[%i] : memref<10xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c4) to (%c0) step (%c1) {
    memref.store %x, %m[%i] : memref<10xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    memref.store %x, %m[%i] : memref<10xf32>
    scf.reduce
  }
  return
}
// -----
func.func @parallel_nested(%m: memref<4x4xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<4x4xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
// -----
func.func @parallel_reduce(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%x) -> f32 {
    %a = "x.a"(%i) : (index) -> f32
    scf.reduce(%a : f32) {
    ^bb0(%l: f32, %rr: f32):
      %s = arith.addf %l, %rr : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
// -----
func.func @execute(%c: i1) -> i32 {
  %r = scf.execute_region -> i32 {
    %a = "x.a"() : () -> i32
    scf.yield %a : i32
  }
  %s = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    %u = "x.b"() : () -> i32
    scf.yield %u : i32
  ^b:
    %v = "x.c"() : () -> i32
    scf.yield %v : i32
  }
  %t = arith.addi %r, %s : i32
  return %t : i32
}
// -----
func.func @switch(%i: index, %x: i32) -> (i32, i32) {
  %c2 = arith.constant 2 : index
  %r = scf.index_switch %c2 -> i32
  case 1 {
    %a = "x.a"() : () -> i32
    scf.yield %a : i32
  }
  case 2 {
    %a = "x.b"() : () -> i32
    scf.yield %a : i32
  }
  default {
    scf.yield %x : i32
  }
  %s:2 = scf.index_switch %i -> i32, i32
  case 5 {
    scf.yield %x, %x : i32, i32
  }
  default {
    %b = "x.c"() : () -> i32
    scf.yield %b, %x : i32, i32
  }
  return %r, %s#0 : i32, i32
}
// -----
func.func @forall(%m: memref<4xf32>, %x: f32, %n: index) {
  scf.forall (%i) in (1) {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  scf.forall (%i, %j) in (4, 1) {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  scf.forall (%i) in (0) {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}
// -----
func.func @br_chain(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b(%x : i32)
^a(%y: i32):
  cf.br ^c(%y : i32)
^b(%z: i32):
  cf.br ^c(%z : i32)
^c(%r: i32):
  return %r : i32
}
// -----
func.func @switches(%f: i32, %x: i32, %y: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  cf.switch %c7 : i32, [
    default: ^a(%x : i32),
    7: ^b(%y : i32),
    8: ^a(%y : i32)
  ]
^a(%p: i32):
  cf.switch %f : i32, [
    default: ^b(%p : i32),
    1: ^b(%p : i32)
  ]
^b(%q: i32):
  return %q : i32
}
// -----
func.func @switch_pass(%f: i32, %x: i32, %y: i32) -> i32 {
  cf.switch %f : i32, [
    default: ^a(%x : i32),
    1: ^b(%y : i32),
    2: ^c
  ]
^a(%p: i32):
  cf.br ^d(%p : i32)
^b(%q: i32):
  cf.br ^d(%q : i32)
^c:
  %k = "x.a"() : () -> i32
  cf.br ^d(%k : i32)
^d(%r: i32):
  return %r : i32
}
