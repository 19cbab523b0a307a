// pass: builtin.module(remove-dead-values,cse)
// upstream: --remove-dead-values --cse
// A value that only decides how often dead code runs is dead itself; ops with regions take their canonical forms, others do not.
module {
  func.func private @spins(%x: i32, %again: i1) -> i32 {
    %r = scf.while (%p = %x) : (i32) -> i32 {
      scf.condition(%again) %p : i32
    } do {
    ^bb0(%p: i32):
      scf.yield %p : i32
    }
    return %r : i32
  }
  func.func @calls(%x: i32, %again: i1) {
    %r = func.call @spins(%x, %again) : (i32, i1) -> i32
    return
  }
  func.func private @stores(%x: i32, %again: i1, %m: memref<i32>) -> i32 {
    %r = scf.while (%p = %x) : (i32) -> i32 {
      memref.store %x, %m[] : memref<i32>
      scf.condition(%again) %p : i32
    } do {
    ^bb0(%p: i32):
      scf.yield %p : i32
    }
    return %r : i32
  }
  func.func @keeps(%x: i32, %again: i1, %m: memref<i32>) {
    %r = func.call @stores(%x, %again, %m) : (i32, i1, memref<i32>) -> i32
    return
  }
  func.func @chosen(%c: i1, %x: i32) -> (i32, i32) {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %sum = arith.addi %c1, %c2 : i32
    %r = scf.if %c -> (i32) {
      scf.yield %x : i32
    } else {
      scf.yield %sum : i32
    }
    return %r, %sum : i32, i32
  }
  func.func @in_place(%x: i32) -> i32 {
    %r:2 = "scf.execute_region"() ({
      %s = arith.addi %x, %x : i32
      scf.yield %s, %x : i32, i32
    }) : () -> (i32, i32)
    return %r#1 : i32
  }
}
// ===== expected
builtin.module {
  func.func private @spins() {
    func.return
  }
  func.func @calls(%x: i32, %again: i1) {
    func.call @spins() : () -> ()
    func.return
  }
  func.func private @stores(%x: i32, %again: i1, %m: memref<i32>) {
    scf.while : () -> () {
      memref.store %x, %m[] : memref<i32>
      scf.condition(%again)
    } do {
      scf.yield
    }
    func.return
  }
  func.func @keeps(%x: i32, %again: i1, %m: memref<i32>) {
    func.call @stores(%x, %again, %m) : (i32, i1, memref<i32>) -> ()
    func.return
  }
  func.func @chosen(%c: i1, %x: i32) -> (i32, i32) {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %sum = arith.addi %c1, %c2 : i32
    %0 = arith.select %c, %x, %sum : i32
    func.return %0, %sum : i32, i32
  }
  func.func @in_place(%x: i32) -> i32 {
    func.return %x : i32
  }
}
