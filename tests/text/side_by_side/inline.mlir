// side-by-side: builtin.module(inline)
// upstream: --inline
// Chains, several blocks, regions around calls, results in another order, recursion, declarations, nested symbols.
func.func private @several_blocks(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b(%x : i32)
^a:
  %s = arith.addi %x, %x : i32
  cf.br ^b(%s : i32)
^b(%r: i32):
  return %r : i32
}
func.func @main(%c: i1, %x: i32) -> (i32, i32) {
  %a = call @several_blocks(%c, %x) : (i1, i32) -> i32
  %b = call @several_blocks(%c, %a) : (i1, i32) -> i32
  %s = arith.muli %a, %b : i32
  return %s, %b : i32, i32
}
// -----
func.func private @several_blocks(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b(%x : i32)
^a:
  %s = arith.addi %x, %x : i32
  cf.br ^b(%s : i32)
^b(%r: i32):
  return %r : i32
}
func.func private @one_block(%x: i32, %y: i32) -> (i32, i32) {
  %s = arith.subi %x, %y : i32
  return %y, %s : i32, i32
}
func.func @in_regions(%c: i1, %x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    %b = func.call @several_blocks(%c, %a) : (i1, i32) -> i32
    %d:2 = func.call @one_block(%b, %a) : (i32, i32) -> (i32, i32)
    %e = arith.addi %d#0, %d#1 : i32
    scf.yield %e : i32
  }
  %q = scf.execute_region -> i32 {
    %b = func.call @several_blocks(%c, %r) : (i1, i32) -> i32
    scf.yield %b : i32
  }
  return %q : i32
}
// -----
func.func private @declared(i32) -> i32
func.func private @c(%x: i32) -> i32 {
  %r = call @declared(%x) : (i32) -> i32
  return %r : i32
}
func.func private @b(%x: i32) -> i32 {
  %r = call @c(%x) : (i32) -> i32
  %s = call @c(%r) : (i32) -> i32
  return %s : i32
}
func.func @a(%x: i32) -> i32 {
  %r = call @b(%x) : (i32) -> i32
  return %r : i32
}
// -----
func.func private @fact(%n: i32, %acc: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.cmpi eq, %n, %c0 : i32
  cf.cond_br %z, ^done, ^more
^done:
  return %acc : i32
^more:
  %m = arith.subi %n, %c1 : i32
  %a = arith.muli %acc, %n : i32
  %r = call @fact(%m, %a) : (i32, i32) -> i32
  return %r : i32
}
func.func @main(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = call @fact(%n, %c1) : (i32, i32) -> i32
  return %r : i32
}
// -----
func.func private @returns_twice(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : i32
^b:
  %s = arith.addi %x, %x : i32
  return %s : i32
}
func.func @main(%c: i1, %x: i32) -> i32 {
  %r = call @returns_twice(%c, %x) : (i1, i32) -> i32
  return %r : i32
}
// -----
func.func private @unused_result(%x: i32, %m: memref<i32>) -> i32 {
  memref.store %x, %m[] : memref<i32>
  return %x : i32
}
func.func @main(%x: i32, %m: memref<i32>) {
  %r = call @unused_result(%x, %m) : (i32, memref<i32>) -> i32
  return
}
// -----
func.func private @never_returns(%x: i32) -> i32 {
  cf.br ^loop
^loop:
  cf.br ^loop
}
func.func @main(%x: i32) -> i32 {
  %r = call @never_returns(%x) : (i32) -> i32
  return %r : i32
}
// -----
module {
  func.func private @outer(%x: i32) -> i32 {
    return %x : i32
  }
  module @inner {
    func.func private @outer(%x: i32) -> i32 {
      %s = arith.addi %x, %x : i32
      return %s : i32
    }
    func.func @calls_inner(%x: i32) -> i32 {
      %r = func.call @outer(%x) : (i32) -> i32
      return %r : i32
    }
  }
  func.func @calls_outer(%x: i32) -> i32 {
    %r = func.call @outer(%x) : (i32) -> i32
    return %r : i32
  }
}
// -----
func.func private @indirect(%x: i32) -> i32 {
  %s = arith.muli %x, %x : i32
  return %s : i32
}
func.func @main(%x: i32) -> i32 {
  %f = constant @indirect : (i32) -> i32
  %r = call_indirect %f(%x) : (i32) -> i32
  return %r : i32
}
// -----
func.func private @dead_code_inside(%x: i32) -> i32 {
  %s = arith.addi %x, %x : i32
  return %s : i32
^dead(%y: i32):
  %t = call @dead_code_inside(%y) : (i32) -> i32
  cf.br ^dead(%t : i32)
}
func.func @main(%x: i32) -> i32 {
  %r = call @dead_code_inside(%x) : (i32) -> i32
  return %r : i32
}
// -----
func.func private @helper(%x: i32) -> i32 attributes {no_inline} {
  return %x : i32
}
func.func @marked(%x: i32) -> (i32, i32) {
  %r = call @helper(%x) : (i32) -> i32
  %s = call @other(%x) {no_inline} : (i32) -> i32
  return %r, %s : i32, i32
}
func.func private @other(%x: i32) -> i32 {
  return %x : i32
}
// -----
func.func private @f(%x: i32) -> i32 {
  %c = arith.constant 4 : i32
  %a = arith.addi %x, %c : i32
  return %a : i32
}
func.func @main(%x: i32, %c: i1) -> (i32, i32) {
  %a = func.call @f(%x) : (i32) -> i32
  %r = scf.if %c -> i32 {
    %b = func.call @f(%a) : (i32) -> i32
    scf.yield %b : i32
  } else {
    scf.yield %a : i32
  }
  return %a, %r : i32, i32
}
// -----
func.func private @blocks(%c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %x = "x.a"() : () -> i32
  return %x : i32
^b:
  %y = "x.b"() : () -> i32
  return %y : i32
}
func.func @main(%c: i1) -> i32 {
  %a = func.call @blocks(%c) : (i1) -> i32
  %d = arith.addi %a, %a : i32
  return %d : i32
}
func.func @in_region(%c: i1) {
  scf.if %c {
    %a = func.call @blocks(%c) : (i1) -> i32
    "x.use"(%a) : (i32) -> ()
  }
  return
}
// -----
func.func @even(%n: i32) -> i32 {
  %a = func.call @odd(%n) : (i32) -> i32
  return %a : i32
}
func.func @odd(%n: i32) -> i32 {
  %a = func.call @even(%n) : (i32) -> i32
  return %a : i32
}
func.func @main(%n: i32) -> i32 {
  %a = func.call @even(%n) : (i32) -> i32
  return %a : i32
}
// -----
func.func private @indirect(%x: i32) -> i32 {
  return %x : i32
}
func.func @main(%x: i32) -> i32 {
  %f = constant @indirect : (i32) -> i32
  %a = call_indirect %f(%x) : (i32) -> i32
  return %a : i32
}
// -----
func.func private @declared(i32) -> i32
func.func private @no_inline(%x: i32) -> i32 attributes {no_inline} {
  return %x : i32
}
func.func @main(%x: i32) -> (i32, i32) {
  %a = func.call @declared(%x) : (i32) -> i32
  %b = func.call @no_inline(%a) : (i32) -> i32
  return %a, %b : i32, i32
}
// -----
module @outer {
  module @inner {
    func.func @g(%x: i32) -> i32 {
      %a = arith.muli %x, %x : i32
      return %a : i32
    }
    func.func @h(%x: i32) -> i32 {
      %a = func.call @g(%x) : (i32) -> i32
      return %a : i32
    }
  }
}
