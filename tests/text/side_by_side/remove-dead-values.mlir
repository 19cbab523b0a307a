// side-by-side: builtin.module(remove-dead-values,canonicalize)
// upstream: --remove-dead-values --canonicalize
// Ops found live late, around loops, across blocks and calls in any order of the text.
func.func private @late(%x: i32, %y: i32) -> i32 {
  cf.br ^def
^use(%unused: i32):
  return %s : i32
^def:
  %s = arith.addi %x, %x : i32
  cf.br ^use(%y : i32)
}
func.func @main(%x: i32, %y: i32) -> i32 {
  %r = call @late(%x, %y) : (i32, i32) -> i32
  return %r : i32
}
// -----
func.func private @late(%x: i32, %y: i32, %c: i1) -> i32 {
  cf.br ^def
^use:
  return %t : i32
^def:
  %t = scf.if %c -> (i32) {
    %s = arith.addi %x, %y : i32
    scf.yield %s : i32
  } else {
    %s = arith.muli %x, %y : i32
    scf.yield %s : i32
  }
  cf.br ^use
}
func.func @main(%x: i32, %y: i32, %c: i1) -> i32 {
  %r = call @late(%x, %y, %c) : (i32, i32, i1) -> i32
  return %r : i32
}
// -----
func.func @main(%x: i32, %y: i32, %c: i1) -> (i32, i32) {
  %r:3 = call @after(%x, %y, %c, %x) : (i32, i32, i1, i32) -> (i32, i32, i32)
  %s:3 = call @after(%y, %x, %c, %x) : (i32, i32, i1, i32) -> (i32, i32, i32)
  return %r#0, %s#1 : i32, i32
}
func.func private @after(%x: i32, %y: i32, %c: i1, %lim: i32) -> (i32, i32, i32) {
  %w = scf.while (%p = %x) : (i32) -> i32 {
    %u = arith.muli %p, %y : i32
    %d = arith.cmpi slt, %u, %lim : i32
    scf.condition(%d) %u : i32
  } do {
  ^bb0(%q: i32):
    scf.yield %q : i32
  }
  %n = arith.muli %x, %y : i32
  %k = arith.subi %x, %y : i32
  return %w, %n, %k : i32, i32, i32
}
// -----
func.func private @stores_carried(%n: index, %m: memref<i32>, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    memref.store %a, %m[] : memref<i32>
    %next = arith.addi %x, %y : i32
    scf.yield %next : i32
  }
  return
}
func.func @main(%n: index, %m: memref<i32>, %x: i32, %y: i32) {
  call @stores_carried(%n, %m, %x, %y) : (index, memref<i32>, i32, i32) -> ()
  return
}
// -----
func.func private @loops_for_memory(%n: index, %k: index, %m: memref<?xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  %s = scf.for %i = %c0 to %k step %c1 iter_args(%a = %x) -> (i32) {
    %t = arith.addi %a, %a : i32
    scf.yield %t : i32
  }
  return %s : i32
}
func.func @main(%n: index, %k: index, %m: memref<?xi32>, %x: i32) {
  %r = call @loops_for_memory(%n, %k, %m, %x) : (index, index, memref<?xi32>, i32) -> i32
  return
}
// -----
func.func private @around_blocks(%z: i32) {
  %x = "x.val"() : () -> i32
  cf.br ^head(%x : i32)
^head(%a: i32):
  "x.use"(%a) : (i32) -> ()
  %more = "x.more"() : () -> i1
  cf.cond_br %more, ^head(%z : i32), ^exit
^exit:
  return
}
func.func @main(%z: i32) {
  call @around_blocks(%z) : (i32) -> ()
  return
}
// -----
func.func @around_blocks(%n: i32, %m: memref<i32>, %x: i32, %c: i1) {
  cf.br ^head(%x, %x : i32, i32)
^head(%a: i32, %b: i32):
  %next = arith.muli %a, %x : i32
  cf.cond_br %c, ^head(%x, %next: i32, i32), ^exit(%n : i32)
^exit(%d: i32):
  memref.store %b, %m[] : memref<i32>
  return
}
// -----
func.func private @first_ignores(%x: i32, %y: i32) -> (i32, i32) {
  %s = arith.muli %x, %x : i32
  %t = arith.muli %y, %y : i32
  return %s, %t : i32, i32
}
func.func @main(%x: i32, %y: i32) -> i32 {
  %a:2 = call @first_ignores(%x, %y) : (i32, i32) -> (i32, i32)
  %b:2 = call @first_ignores(%y, %x) : (i32, i32) -> (i32, i32)
  %s = arith.addi %a#0, %b#1 : i32
  return %s : i32
}
// -----
func.func private @with_attrs(%x: i32 {x.a = 1 : i32}, %y: i32 {x.b = 2 : i32}, %z: i32 {x.c = 3 : i32}) -> (i32 {x.d = 4 : i32}, i32 {x.e = 5 : i32}) {
  %s = arith.muli %x, %z : i32
  %t = arith.muli %y, %y : i32
  return %t, %s : i32, i32
}
func.func @main(%x: i32, %y: i32) -> i32 {
  %a:2 = call @with_attrs(%x, %y, %x) : (i32, i32, i32) -> (i32, i32)
  return %a#1 : i32
}
// -----
func.func private @nobody_calls(%x: i32, %y: i32) -> (i32, i32) {
  %s = arith.addi %x, %y : i32
  return %s, %y : i32, i32
}
func.func @public(%x: i32, %y: i32) -> (i32, i32) {
  %s = arith.addi %x, %x : i32
  return %s, %s : i32, i32
}
func.func @main(%x: i32, %y: i32) -> i32 {
  %a:2 = call @public(%x, %y) : (i32, i32) -> (i32, i32)
  return %a#0 : i32
}
// -----
func.func @same_to_both(%x: i32, %y: i32, %m: memref<i32>, %c: i1) -> i32 {
  %w:2 = scf.while (%p = %x, %q = %y) : (i32, i32) -> (i32, i32) {
    %s = arith.addi %p, %q : i32
    %t = arith.muli %p, %q : i32
    scf.condition(%c) %s, %t : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    memref.store %b, %m[] : memref<i32>
    scf.yield %x, %y : i32, i32
  }
  return %w#0 : i32
}
// -----
func.func private @recursive(%n: i32, %acc: i32, %dead: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %done = arith.cmpi eq, %n, %c0 : i32
  cf.cond_br %done, ^stop, ^again
^stop:
  return %acc, %dead : i32, i32
^again:
  %m = arith.subi %n, %c1 : i32
  %a = arith.muli %acc, %n : i32
  %d = arith.addi %dead, %n : i32
  %r:2 = call @recursive(%m, %a, %d) : (i32, i32, i32) -> (i32, i32)
  return %r#0, %r#1 : i32, i32
}
func.func @main(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %r:2 = call @recursive(%n, %c1, %c1) : (i32, i32, i32) -> (i32, i32)
  return %r#0 : i32
}
// -----
func.func private @callee(%x: i32, %y: i32) -> (i32, i32) {
  %a = arith.addi %x, %x : i32
  %b = arith.muli %y, %y : i32
  return %a, %b : i32, i32
}
func.func @main(%x: i32, %y: i32) -> i32 {
  %r:2 = call @callee(%x, %y) : (i32, i32) -> (i32, i32)
  return %r#0 : i32
}
// -----
func.func @loop(%n: index, %x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    %s = arith.addi %a, %a : i32
    %t = arith.muli %b, %b : i32
    scf.yield %s, %t : i32, i32
  }
  return %r#0 : i32
}
// -----
func.func @while(%x: i32, %y: i32) -> i32 {
  %r:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
    %c = "x.cond"(%a) : (i32) -> i1
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%d: i32, %e: i32):
    %t = arith.addi %d, %d : i32
    %u = arith.muli %e, %e : i32
    scf.yield %t, %u : i32, i32
  }
  return %r#0 : i32
}
// -----
func.func @cfg(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.br ^head(%x, %y : i32, i32)
^head(%a: i32, %b: i32):
  %s = arith.addi %a, %a : i32
  %t = arith.muli %b, %b : i32
  cf.cond_br %c, ^head(%s, %t : i32, i32), ^exit
^exit:
  return %a : i32
}
// -----
func.func private @dead(%x: i32) -> i32 {
  return %x : i32
}
func.func @unused(%x: i32) -> i32 {
  %r = call @dead(%x) : (i32) -> i32
  %m = memref.alloc() : memref<4xi32>
  return %x : i32
}
// -----
func.func @execute(%c: i1) -> i32 {
  %r:2 = scf.if %c -> (i32, i32) {
    %a = "x.a"() : () -> i32
    %k = arith.constant 1 : i32
    scf.yield %a, %k : i32, i32
  } else {
    %a = "x.b"() : () -> i32
    %k = arith.constant 2 : i32
    scf.yield %a, %k : i32, i32
  }
  return %r#1 : i32
}
