// pass: builtin.module(loop-unroll{unroll-factor=2})
// Known trip counts with and without a rest, and bounds only run time knows.
module {
  func.func private @use(index)
  func.func @even(%x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> (i32) {
      func.call @use(%i) : (index) -> ()
      %t = arith.muli %s, %x : i32
      scf.yield %t : i32
    }
    return %r : i32
  }
  func.func @odd() {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c5 step %c1 {
      func.call @use(%i) : (index) -> ()
    }
    return
  }
  func.func @open(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      func.call @use(%i) : (index) -> ()
    }
    return
  }
  func.func @step_not_known(%n: index) {
    %c0 = arith.constant 0 : index
    scf.for %i = %c0 to %n step %n {
      func.call @use(%i) : (index) -> ()
    }
    return
  }
}
// ===== expected
builtin.module {
  func.func private @use(index)
  func.func @even(%x: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c4_0 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %0 = scf.for %arg0 = %c0 to %c4_0 step %c2 iter_args(%arg1 = %x) -> (i32) {
      func.call @use(%arg0) : (index) -> ()
      %t = arith.muli %arg1, %x : i32
      %c1_1 = arith.constant 1 : index
      %1 = arith.addi %arg0, %c1_1 : index
      func.call @use(%1) : (index) -> ()
      %t_2 = arith.muli %t, %x : i32
      scf.yield %t_2 : i32
    }
    func.return %0 : i32
  }
  func.func @odd() {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    scf.for %arg0 = %c0 to %c4 step %c2 {
      func.call @use(%arg0) : (index) -> ()
      %c1_0 = arith.constant 1 : index
      %0 = arith.addi %arg0, %c1_0 : index
      func.call @use(%0) : (index) -> ()
    }
    scf.for %i = %c4 to %c5 step %c1 {
      func.call @use(%i) : (index) -> ()
    }
    func.return
  }
  func.func @open(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.cmpi slt, %c0, %n : index
    %1 = arith.subi %n, %c0 : index
    %c1_0 = arith.constant 1 : index
    %2 = arith.subi %1, %c1_0 : index
    %3 = arith.divui %2, %c1 : index
    %4 = arith.addi %3, %c1_0 : index
    %c2 = arith.constant 2 : index
    %5 = arith.divui %4, %c2 : index
    %6 = arith.muli %5, %c2 : index
    %7 = arith.muli %6, %c1 : index
    %8 = arith.addi %c0, %7 : index
    %9 = arith.select %0, %8, %c0 : index
    %c2_1 = arith.constant 2 : index
    scf.for %arg0 = %c0 to %9 step %c2_1 {
      func.call @use(%arg0) : (index) -> ()
      %c1_2 = arith.constant 1 : index
      %10 = arith.addi %arg0, %c1_2 : index
      func.call @use(%10) : (index) -> ()
    }
    scf.for %i = %9 to %n step %c1 {
      func.call @use(%i) : (index) -> ()
    }
    func.return
  }
  func.func @step_not_known(%n: index) {
    %c0 = arith.constant 0 : index
    scf.for %i = %c0 to %n step %n {
      func.call @use(%i) : (index) -> ()
    }
    func.return
  }
}
