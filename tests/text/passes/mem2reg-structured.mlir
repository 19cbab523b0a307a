// pass: builtin.module(mem2reg)
// Slots through structured control flow: loops and branches carry one value more. (Upstream leaves these in memory.)
module {
  func.func @branch(%c: i1, %x: i32, %y: i32) -> i32 {
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    scf.if %c {
      memref.store %y, %m[] : memref<i32>
    }
    %r = memref.load %m[] : memref<i32>
    return %r : i32
  }
  func.func @counted(%n: index, %x: i32) -> (i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (i32) {
      %v = memref.load %m[] : memref<i32>
      %w = arith.addi %v, %s : i32
      memref.store %w, %m[] : memref<i32>
      %t = arith.muli %s, %x : i32
      scf.yield %t : i32
    }
    %r = memref.load %m[] : memref<i32>
    return %k, %r : i32, i32
  }
  func.func @repeated(%x: i32, %most: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %m = memref.alloca() : memref<i32>
    scf.while : () -> () {
      %v = memref.load %m[] : memref<i32>
      %going = arith.cmpi slt, %v, %most : i32
      scf.condition(%going)
    } do {
      %v = memref.load %m[] : memref<i32>
      %w = arith.addi %v, %c1 : i32
      memref.store %w, %m[] : memref<i32>
      scf.yield
    }
    %r = memref.load %m[] : memref<i32>
    return %r : i32
  }
  func.func @only_read(%n: index, %x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (i32) {
      %v = memref.load %m[] : memref<i32>
      %t = arith.muli %s, %v : i32
      scf.yield %t : i32
    }
    return %k : i32
  }
  func.func @parallel_stores_stay(%n: index, %x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloca() : memref<i32>
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[] : memref<i32>
      scf.reduce 
    }
    %r = memref.load %m[] : memref<i32>
    return %r : i32
  }
  func.func @stored_and_never_read(%c: i1, %n: index, %x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloca() : memref<i32>
    scf.if %c {
      memref.store %x, %m[] : memref<i32>
    }
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[] : memref<i32>
      scf.reduce
    }
    func.return %x : i32
  }
}
// ===== expected
builtin.module {
  func.func @branch(%c: i1, %x: i32, %y: i32) -> i32 {
    %0 = scf.if %c -> (i32) {
      scf.yield %y : i32
    } else {
      scf.yield %x : i32
    }
    func.return %0 : i32
  }
  func.func @counted(%n: index, %x: i32) -> (i32, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %arg0 = %x) -> (i32, i32) {
      %w = arith.addi %arg0, %s : i32
      %t = arith.muli %s, %x : i32
      scf.yield %t, %w : i32, i32
    }
    func.return %k#0, %k#1 : i32, i32
  }
  func.func @repeated(%x: i32, %most: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = scf.while (%arg0 = %c0_i32) : (i32) -> i32 {
      %going = arith.cmpi slt, %arg0, %most : i32
      scf.condition(%going) %arg0 : i32
    } do {
    ^bb0(%arg0: i32):
      %w = arith.addi %arg0, %c1 : i32
      scf.yield %w : i32
    }
    func.return %0 : i32
  }
  func.func @only_read(%n: index, %x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (i32) {
      %t = arith.muli %s, %x : i32
      scf.yield %t : i32
    }
    func.return %k : i32
  }
  func.func @parallel_stores_stay(%n: index, %x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloca() : memref<i32>
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[] : memref<i32>
      scf.reduce 
    }
    %r = memref.load %m[] : memref<i32>
    func.return %r : i32
  }
  func.func @stored_and_never_read(%c: i1, %n: index, %x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.if %c {
    }
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      scf.reduce 
    }
    func.return %x : i32
  }
}
