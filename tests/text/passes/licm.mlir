// pass: builtin.module(loop-invariant-code-motion)
// upstream: --loop-invariant-code-motion
// An op that does not change in a loop leaves it, as far out as it can; an op that may fail, reads or writes stays.
module {
  func.func private @use(i32)
  func.func @nest(%n: index, %a: i32, %b: i32, %m: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %ab = arith.muli %a, %b : i32
        %s = arith.addi %ab, %a : i32
        %ij = arith.addi %i, %c1 : index
        %k = arith.index_cast %ij : index to i32
        %t = arith.addi %s, %k : i32
        %q = arith.divsi %a, %b : i32
        %c3 = arith.constant 3 : i32
        %d = arith.divsi %a, %c3 : i32
        %l = memref.load %m[%c0] : memref<?xi32>
        func.call @use(%t) : (i32) -> ()
        func.call @use(%q) : (i32) -> ()
        func.call @use(%d) : (i32) -> ()
        func.call @use(%l) : (i32) -> ()
      }
    }
    return
  }
  func.func @conditional(%n: index, %a: i32, %c: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %r = scf.if %c -> (i32) {
        %x = arith.addi %a, %a : i32
        scf.yield %x : i32
      } else {
        scf.yield %a : i32
      }
      func.call @use(%r) : (i32) -> ()
    }
    return
  }
  func.func @while(%a: i32, %c: i1) {
    scf.while (%x = %a) : (i32) -> i32 {
      %s = arith.addi %a, %a : i32
      func.call @use(%s) : (i32) -> ()
      scf.condition(%c) %x : i32
    } do {
    ^bb0(%y: i32):
      %p = arith.muli %a, %a : i32
      scf.yield %p : i32
    }
    return
  }
  func.func @parallel(%n: index, %a: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %p = arith.muli %a, %a : i32
      func.call @use(%p) : (i32) -> ()
      scf.reduce 
    }
    return
  }
}
// ===== expected
builtin.module {
  func.func private @use(i32)
  func.func @nest(%n: index, %a: i32, %b: i32, %m: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ab = arith.muli %a, %b : i32
    %s = arith.addi %ab, %a : i32
    %c3 = arith.constant 3 : i32
    %d = arith.divsi %a, %c3 : i32
    scf.for %i = %c0 to %n step %c1 {
      %ij = arith.addi %i, %c1 : index
      %k = arith.index_cast %ij : index to i32
      %t = arith.addi %s, %k : i32
      scf.for %j = %c0 to %n step %c1 {
        %q = arith.divsi %a, %b : i32
        %l = memref.load %m[%c0] : memref<?xi32>
        func.call @use(%t) : (i32) -> ()
        func.call @use(%q) : (i32) -> ()
        func.call @use(%d) : (i32) -> ()
        func.call @use(%l) : (i32) -> ()
      }
    }
    func.return
  }
  func.func @conditional(%n: index, %a: i32, %c: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.if %c -> (i32) {
      %x = arith.addi %a, %a : i32
      scf.yield %x : i32
    } else {
      scf.yield %a : i32
    }
    scf.for %i = %c0 to %n step %c1 {
      func.call @use(%r) : (i32) -> ()
    }
    func.return
  }
  func.func @while(%a: i32, %c: i1) {
    %s = arith.addi %a, %a : i32
    %p = arith.muli %a, %a : i32
    %0 = scf.while (%x = %a) : (i32) -> i32 {
      func.call @use(%s) : (i32) -> ()
      scf.condition(%c) %x : i32
    } do {
    ^bb0(%y: i32):
      scf.yield %p : i32
    }
    func.return
  }
  func.func @parallel(%n: index, %a: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = arith.muli %a, %a : i32
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      func.call @use(%p) : (i32) -> ()
      scf.reduce 
    }
    func.return
  }
}
