// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// Branches on one condition one after the other, arguments that always get the same, comparisons known behind a loop's
// condition, switches on constants, regions that must stay, what a branch decided on.
module {
  func.func private @first()
  func.func private @second()
  func.func private @value() -> i32
  func.func private @other(i32) -> i32
  func.func private @use(i1, i1, i32)
  func.func private @condition() -> i1
  func.func @one_after_the_other(%c: i1) -> (i32, i32) {
    %0 = scf.if %c -> (i32) {
      %1 = func.call @value() : () -> i32
      scf.yield %1 : i32
    } else {
      %c9 = arith.constant 9 : i32
      %1 = func.call @other(%c9) : (i32) -> i32
      scf.yield %1 : i32
    }
    %2 = scf.if %c -> (i32) {
      %3 = func.call @other(%0) : (i32) -> i32
      scf.yield %3 : i32
    } else {
      func.call @second() : () -> ()
      scf.yield %0 : i32
    }
    return %0, %2 : i32, i32
  }
  func.func @then_the_opposite(%c: i1) {
    %true = arith.constant true
    %n = arith.xori %c, %true : i1
    scf.if %c {
      func.call @first() : () -> ()
    }
    scf.if %n {
      func.call @second() : () -> ()
    }
    return
  }
  func.func @after_the_opposite(%c: i1) {
    %true = arith.constant true
    %n = arith.xori %c, %true : i1
    scf.if %n {
      func.call @first() : () -> ()
    }
    scf.if %c {
      func.call @second() : () -> ()
    }
    return
  }
  func.func @equal_arguments(%lb: index, %ub: index, %s: index, %x: index, %y: index) -> (index, index, index, index) {
    %0:4 = scf.for %i = %lb to %ub step %s iter_args(%a = %x, %b = %y, %c = %y, %d = %x) -> (index, index, index, index) {
      %1 = arith.addi %a, %b : index
      %2 = arith.addi %c, %d : index
      scf.yield %1, %2, %2, %1 : index, index, index, index
    }
    return %0#0, %0#1, %0#2, %0#3 : index, index, index, index
  }
  func.func @arguments_in_circles(%lb: index, %ub: index, %s: index, %x: i32, %y: i64) -> (i32, i64, i32, i64) {
    %0:4 = scf.for %i = %lb to %ub step %s iter_args(%a = %x, %b = %y, %c = %x, %d = %y) -> (i32, i64, i32, i64) {
      func.call @first() : () -> ()
      scf.yield %c, %d, %a, %b : i32, i64, i32, i64
    }
    return %0#0, %0#1, %0#2, %0#3 : i32, i64, i32, i64
  }
  func.func @not_only_in_a_circle(%lb: index, %ub: index, %s: index, %x: i32, %y: i32) -> (i32, i32) {
    %0:2 = scf.for %i = %lb to %ub step %s iter_args(%a = %x, %b = %y) -> (i32, i32) {
      func.call @first() : () -> ()
      scf.yield %b, %a : i32, i32
    }
    return %0#0, %0#1 : i32, i32
  }
  func.func @equal_results() -> (i32, i32) {
    %0:2 = "scf.while"() ({
      %1 = func.call @value() : () -> i32
      %2 = func.call @condition() : () -> i1
      "scf.condition"(%2, %1, %1) : (i1, i32, i32) -> ()
    }, {
    ^bb0(%a: i32, %b: i32):
      %3 = arith.addi %a, %b : i32
      %4 = func.call @other(%3) : (i32) -> i32
      "scf.yield"() : () -> ()
    }) : () -> (i32, i32)
    return %0#0, %0#1 : i32, i32
  }
  func.func @compared(%x: i32) -> i32 {
    %0 = "scf.while"() ({
      %1 = func.call @value() : () -> i32
      %2 = arith.cmpi slt, %1, %x : i32
      "scf.condition"(%2, %1) : (i1, i32) -> ()
    }, {
    ^bb0(%a: i32):
      %3 = arith.cmpi slt, %a, %x : i32
      %4 = arith.cmpi sge, %a, %x : i32
      %5 = arith.cmpi eq, %a, %x : i32
      func.call @use(%3, %4, %a) : (i1, i1, i32) -> ()
      func.call @use(%5, %5, %a) : (i1, i1, i32) -> ()
      "scf.yield"() : () -> ()
    }) : () -> i32
    return %0 : i32
  }
  func.func @switches() -> (i32, i32) {
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %0 = "scf.index_switch"(%c1) <{cases = array<i64: 0, 1>}> ({
      %1 = func.call @value() : () -> i32
      "scf.yield"(%1) : (i32) -> ()
    }, {
      %c2 = arith.constant 2 : i32
      "scf.yield"(%c2) : (i32) -> ()
    }, {
      %c3 = arith.constant 3 : i32
      "scf.yield"(%c3) : (i32) -> ()
    }) : (index) -> i32
    %4 = "scf.index_switch"(%c7) <{cases = array<i64: 0>}> ({
      %c5 = arith.constant 5 : i32
      "scf.yield"(%c5) : (i32) -> ()
    }, {
      %c6 = arith.constant 6 : i32
      "scf.yield"(%c6) : (i32) -> ()
    }) : (index) -> i32
    return %0, %4 : i32, i32
  }
  func.func @kept() -> i32 {
    %0 = "scf.execute_region"() <{no_inline}> ({
      %1 = func.call @value() : () -> i32
      "scf.yield"(%1) : (i32) -> ()
    }) : () -> i32
    return %0 : i32
  }
  func.func @decided(%c: i1, %x: i32) -> i1 {
    cf.cond_br %c, ^yes, ^no
  ^yes:
    func.call @use(%c, %c, %x) : (i1, i1, i32) -> ()
    return %c : i1
  ^no:
    func.call @first() : () -> ()
    func.call @use(%c, %c, %x) : (i1, i1, i32) -> ()
    return %c : i1
  }
}
// ===== expected
builtin.module {
  func.func private @first()
  func.func private @second()
  func.func private @value() -> i32
  func.func private @other(i32) -> i32
  func.func private @use(i1, i1, i32)
  func.func private @condition() -> i1
  func.func @one_after_the_other(%c: i1) -> (i32, i32) {
    %c9 = arith.constant 9 : i32
    %0:2 = scf.if %c -> (i32, i32) {
      %1 = func.call @value() : () -> i32
      %2 = func.call @other(%1) : (i32) -> i32
      scf.yield %1, %2 : i32, i32
    } else {
      %1 = func.call @other(%c9) : (i32) -> i32
      func.call @second() : () -> ()
      scf.yield %1, %1 : i32, i32
    }
    func.return %0#0, %0#1 : i32, i32
  }
  func.func @then_the_opposite(%c: i1) {
    scf.if %c {
      func.call @first() : () -> ()
    } else {
      func.call @second() : () -> ()
    }
    func.return
  }
  func.func @after_the_opposite(%c: i1) {
    scf.if %c {
      func.call @second() : () -> ()
    } else {
      func.call @first() : () -> ()
    }
    func.return
  }
  func.func @equal_arguments(%lb: index, %ub: index, %s: index, %x: index, %y: index) -> (index, index, index, index) {
    %0:2 = scf.for %i = %lb to %ub step %s iter_args(%a = %x, %b = %y) -> (index, index) {
      %1 = arith.addi %a, %b : index
      %2 = arith.addi %b, %a : index
      scf.yield %1, %2 : index, index
    }
    func.return %0#0, %0#1, %0#1, %0#0 : index, index, index, index
  }
  func.func @arguments_in_circles(%lb: index, %ub: index, %s: index, %x: i32, %y: i64) -> (i32, i64, i32, i64) {
    scf.for %i = %lb to %ub step %s {
      func.call @first() : () -> ()
    }
    func.return %x, %y, %x, %y : i32, i64, i32, i64
  }
  func.func @not_only_in_a_circle(%lb: index, %ub: index, %s: index, %x: i32, %y: i32) -> (i32, i32) {
    %0:2 = scf.for %i = %lb to %ub step %s iter_args(%a = %x, %b = %y) -> (i32, i32) {
      func.call @first() : () -> ()
      scf.yield %b, %a : i32, i32
    }
    func.return %0#0, %0#1 : i32, i32
  }
  func.func @equal_results() -> (i32, i32) {
    %0 = scf.while : () -> i32 {
      %1 = func.call @value() : () -> i32
      %2 = func.call @condition() : () -> i1
      scf.condition(%2) %1 : i32
    } do {
    ^bb0(%a: i32):
      %1 = arith.addi %a, %a : i32
      %2 = func.call @other(%1) : (i32) -> i32
      scf.yield
    }
    func.return %0, %0 : i32, i32
  }
  func.func @compared(%x: i32) -> i32 {
    %false = arith.constant false
    %true = arith.constant true
    %0 = scf.while : () -> i32 {
      %1 = func.call @value() : () -> i32
      %2 = arith.cmpi slt, %1, %x : i32
      scf.condition(%2) %1 : i32
    } do {
    ^bb0(%a: i32):
      %1 = arith.cmpi eq, %a, %x : i32
      func.call @use(%true, %false, %a) : (i1, i1, i32) -> ()
      func.call @use(%1, %1, %a) : (i1, i1, i32) -> ()
      scf.yield
    }
    func.return %0 : i32
  }
  func.func @switches() -> (i32, i32) {
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    func.return %c3, %c5 : i32, i32
  }
  func.func @kept() -> i32 {
    %0 = scf.execute_region -> i32 no_inline {
      %1 = func.call @value() : () -> i32
      scf.yield %1 : i32
    }
    func.return %0 : i32
  }
  func.func @decided(%c: i1, %x: i32) -> i1 {
    %true = arith.constant true
    %false = arith.constant false
    cf.cond_br %c, ^yes, ^no
  ^yes:  // pred: ^bb0
    func.call @use(%true, %true, %x) : (i1, i1, i32) -> ()
    func.return %true : i1
  ^no:  // pred: ^bb0
    func.call @first() : () -> ()
    func.call @use(%false, %false, %x) : (i1, i1, i32) -> ()
    func.return %false : i1
  }
}
