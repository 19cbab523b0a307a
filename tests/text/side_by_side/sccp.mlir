// side-by-side: builtin.module(sccp)
// upstream: --sccp
// A fact of one path alone is not one of all paths; the analysis' facts decide branches, too.
func.func @may_run_never(%n: index, %c: i1) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %s = arith.constant 1 : index
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = scf.for %i = %c0 to %n step %s iter_args(%a = %c1) -> (i32) {
    scf.yield %c2 : i32
  }
  %t = scf.if %c -> (i32) {
    scf.yield %c1 : i32
  } else {
    scf.yield %c2 : i32
  }
  %q = arith.addi %r, %c1 : i32
  %w = scf.while (%a = %c1) : (i32) -> i32 {
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%a: i32):
    scf.yield %c2 : i32
  }
  return %q, %t, %w : i32, i32, i32
}
// -----
func.func private @called_twice(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = arith.addi %x, %c1 : i32
  return %r : i32
}
func.func @calls() -> (i32, i32) {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %a = call @called_twice(%c2) : (i32) -> i32
  %b = call @called_twice(%c3) : (i32) -> i32
  return %a, %b : i32, i32
}
// -----
func.func private @returns_twice(%c: i1) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  cf.cond_br %c, ^a, ^b
^a:
  return %c1, %c2 : i32, i32
^b:
  return %c2, %c2 : i32, i32
}
func.func @calls(%c: i1) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %r:2 = call @returns_twice(%c) : (i1) -> (i32, i32)
  %s = arith.addi %r#0, %c1 : i32
  %t = arith.addi %r#1, %c1 : i32
  return %s, %t : i32, i32
}
// -----
func.func @reduction(%n: index, %x: f32, %m: memref<?xi32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    %s = arith.addi %i1, %i2 : i32
    memref.store %s, %m[%i] : memref<?xi32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addi %i1, %i1 : i32
      %u = arith.sitofp %t : i32 to f32
      %v = arith.addf %a, %u : f32
      scf.reduce.return %v : f32
    }
  }
  %more = arith.cmpf olt, %r, %x : f32
  cf.cond_br %more, ^a, ^b
^a:
  %w = arith.addi %i1, %i2 : i32
  memref.store %w, %m[%c0] : memref<?xi32>
  return %x : f32
^b:
  return %r : f32
}
// -----
func.func @of_unknown_ops(%m: memref<4xi32>) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %old = "memref.generic_atomic_rmw"(%m, %c0) ({
  ^bb0(%x: i32):
    %three = arith.addi %c1, %c2 : i32
    %y = arith.addi %x, %three : i32
    "memref.atomic_yield"(%y) : (i32) -> ()
  }) : (memref<4xi32>, index) -> i32
  %c = "x.region"() ({
    %z = arith.addi %c2, %c2 : i32
    "x.use"(%z) : (i32) -> ()
  }) : () -> i1
  %zero = arith.subi %c1, %c1 : i32
  %k = arith.muli %old, %zero : i32
  cf.cond_br %c, ^a, ^b
^a:
  %five = arith.addi %c1, %c2 : i32
  return %five, %k : i32, i32
^b:
  %three_ = arith.addi %c1, %c2 : i32
  return %old, %three_ : i32, i32
}
// -----
func.func @unknown_branch(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  "x.branch"(%x)[^a, ^b] : (i32) -> ()
^a(%p: i32, %q: i1):
  cf.cond_br %q, ^c, ^b
^b:
  %s = arith.addi %c1, %c2 : i32
  return %s : i32
^c:
  %t = arith.addi %c2, %c2 : i32
  %u = arith.addi %t, %p : i32
  return %u : i32
}
// -----
func.func @decided(%x: i32, %m: memref<i32>) -> (i32, i32, i32) {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  cf.br ^a(%true : i1)
^a(%c: i1):
  cf.cond_br %c, ^b(%c1 : i32), ^c(%x : i32)
^b(%r: i32):
  %t = scf.if %c -> (i32) {
    scf.yield %c2 : i32
  } else {
    memref.store %c1, %m[] : memref<i32>
    scf.yield %x : i32
  }
  %s = arith.addi %t, %r : i32
  %w = scf.while (%p = %c2) : (i32) -> i32 {
    %less = arith.cmpi slt, %p, %c2 : i32
    scf.condition(%less) %p : i32
  } do {
  ^bb0(%p: i32):
    %n = arith.addi %p, %c1 : i32
    scf.yield %n : i32
  }
  return %s, %r, %w : i32, i32, i32
^c(%y: i32):
  %three = arith.addi %c1, %c2 : i32
  %q = arith.addi %three, %y : i32
  cf.br ^b(%q : i32)
}
// -----
func.func @switched(%x: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  cf.switch %x : i32, [
    default: ^exit(%c1 : i32),
    7: ^exit(%c1 : i32),
    8: ^other
  ]
^other:
  %s = arith.subi %c3, %c2 : i32
  cf.switch %c2 : i32, [
    default: ^never,
    2: ^exit(%s : i32)
  ]
^never:
  cf.br ^exit(%x : i32)
^exit(%r: i32):
  %t = arith.addi %r, %c2 : i32
  return %r, %t : i32, i32
}
// -----
module {
  module @inner {
    func.func nested @nested(%x: i32) -> i32 {
      return %x : i32
    }
    func.func @calls() -> i32 {
      %c2 = arith.constant 2 : i32
      %r = func.call @nested(%c2) : (i32) -> i32
      return %r : i32
    }
  }
  "x.refers"() {to = @inner::@nested} : () -> ()
  func.func nested @only_here(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @calls() -> i32 {
    %c2 = arith.constant 2 : i32
    %r = func.call @only_here(%c2) : (i32) -> i32
    return %r : i32
  }
}
// -----
func.func private @referred(%x: i32) -> i32 {
  return %x : i32
}
func.func private @constant() -> ((i32) -> i32) {
  %f = constant @referred : (i32) -> i32
  return %f : (i32) -> i32
}
func.func @calls() -> i32 {
  %c2 = arith.constant 2 : i32
  %r = call @referred(%c2) : (i32) -> i32
  return %r : i32
}
// -----
func.func @switch_of_regions(%x: index) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %i1 = arith.constant 1 : index
  %a = scf.index_switch %x -> i32
  case 2 {
    scf.yield %c1 : i32
  }
  default {
    %s = arith.subi %c2, %c1 : i32
    scf.yield %s : i32
  }
  %b = scf.index_switch %i1 -> i32
  case 1 {
    scf.yield %c1 : i32
  }
  default {
    scf.yield %c2 : i32
  }
  %c = scf.execute_region -> i32 {
    cf.br ^bb1(%b : i32)
  ^bb1(%p: i32):
    scf.yield %p : i32
  }
  %d = memref.alloca_scope -> (i32) {
    %t = arith.addi %c, %c1 : i32
    memref.alloca_scope.return %t : i32
  }
  return %a, %d : i32, i32
}
// -----
func.func @if_known(%x: i32) -> i32 {
  %t = arith.constant true
  %c1 = arith.constant 1 : i32
  %r = scf.if %t -> i32 {
    scf.yield %c1 : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}
// -----
func.func @loop(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 5 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k, %b = %k) -> (i32, i32) {
    %z = arith.constant 0 : i32
    %s = arith.addi %a, %z : i32
    %t = arith.addi %b, %k : i32
    scf.yield %s, %t : i32, i32
  }
  %u = arith.addi %r#0, %r#1 : i32
  return %u : i32
}
// -----
func.func private @callee(%x: i32, %y: i32) -> (i32, i32) {
  %s = arith.addi %x, %y : i32
  return %s, %x : i32, i32
}
func.func @caller(%z: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %r:2 = call @callee(%c1, %z) : (i32, i32) -> (i32, i32)
  %s:2 = call @callee(%c1, %c1) : (i32, i32) -> (i32, i32)
  %t = arith.addi %r#1, %s#1 : i32
  return %t, %s#0 : i32, i32
}
// -----
func.func @cfg(%c: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %t = arith.cmpi eq, %c1, %c1 : i32
  cf.cond_br %t, ^a(%c1 : i32), ^b(%c2 : i32)
^a(%x: i32):
  cf.br ^b(%x : i32)
^b(%y: i32):
  %r = arith.addi %y, %y : i32
  return %r : i32
}
// -----
func.func @cfg_loop(%c: i1) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c0, %c1 : i32, i32)
^head(%i: i32, %k: i32):
  %l = arith.muli %k, %c1 : i32
  cf.cond_br %c, ^body, ^exit
^body:
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%j, %l : i32, i32)
^exit:
  return %i, %k : i32, i32
}
// -----
func.func @while(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %r:2 = scf.while (%a = %c0, %b = %n) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %a, %b : i32
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%d: i32, %e: i32):
    %z = arith.muli %d, %c0 : i32
    scf.yield %z, %e : i32, i32
  }
  return %r#0 : i32
}
// -----
func.func @switch(%x: i32) -> i32 {
  %k = arith.constant 2 : i32
  cf.switch %k : i32, [
    default: ^a(%x : i32),
    2: ^b(%k : i32)
  ]
^a(%p: i32):
  return %p : i32
^b(%q: i32):
  %r = arith.muli %q, %q : i32
  return %r : i32
}
// -----
func.func @index_switch() -> i32 {
  %k = arith.constant 2 : index
  %r = scf.index_switch %k -> i32
  case 2 {
    %a = arith.constant 7 : i32
    scf.yield %a : i32
  }
  default {
    %a = "x.a"() : () -> i32
    scf.yield %a : i32
  }
  return %r : i32
}
// -----
func.func @poisoned(%c: i1) -> i32 {
  %p = ub.poison : i32
  %k = arith.constant 3 : i32
  %r = scf.if %c -> i32 {
    scf.yield %p : i32
  } else {
    scf.yield %k : i32
  }
  return %r : i32
}
// -----
func.func private @recursive(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c = arith.cmpi eq, %x, %c0 : i32
  cf.cond_br %c, ^a, ^b
^a:
  return %c0 : i32
^b:
  %r = call @recursive(%x) : (i32) -> i32
  return %r : i32
}
func.func @start(%x: i32) -> i32 {
  %r = call @recursive(%x) : (i32) -> i32
  return %r : i32
}
