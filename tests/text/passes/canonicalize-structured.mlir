// pass: builtin.module(canonicalize)
// upstream: --canonicalize
// scf: branches that only choose, conditions known inside, nested branches, loops of one iteration in a dimension.
module {
  func.func private @effect()
  func.func private @use(i1)
  func.func private @value() -> i32
  func.func @chosen(%c: i1, %x: i32, %y: i32) -> (i32, i1, i1) {
    %true = arith.constant true
    %false = arith.constant false
    %0:3 = scf.if %c -> (i32, i1, i1) {
      func.call @effect() : () -> ()
      scf.yield %x, %true, %false : i32, i1, i1
    } else {
      scf.yield %y, %false, %true : i32, i1, i1
    }
    return %0#0, %0#1, %0#2 : i32, i1, i1
  }
  func.func @known_inside(%c: i1) {
    scf.if %c {
      func.call @use(%c) : (i1) -> ()
    } else {
      func.call @use(%c) : (i1) -> ()
    }
    return
  }
  func.func @negated(%c: i1) -> i32 {
    %true = arith.constant true
    %n = arith.xori %c, %true : i1
    %0 = scf.if %n -> (i32) {
      %1 = func.call @value() : () -> i32
      scf.yield %1 : i32
    } else {
      func.call @effect() : () -> ()
      %1 = func.call @value() : () -> i32
      scf.yield %1 : i32
    }
    return %0 : i32
  }
  func.func @nested(%a: i1, %b: i1) {
    scf.if %a {
      scf.if %b {
        func.call @effect() : () -> ()
      }
    }
    return
  }
  func.func @empty_else(%a: i1) {
    scf.if %a {
      func.call @effect() : () -> ()
    } else {
    }
    return
  }
  func.func @no_iteration(%n: index, %x: i32) -> i32 {
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %n to %n step %c1 iter_args(%y = %x) -> (i32) {
      %1 = func.call @value() : () -> i32
      scf.yield %1 : i32
    }
    return %0 : i32
  }
  func.func @one_iteration(%m: memref<?x?x?xi32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c42 = arith.constant 42 : i32
    scf.parallel (%i, %j, %k) = (%c0, %c1, %c0) to (%c1, %n, %c2) step (%c1, %c1, %c2) {
      memref.store %c42, %m[%i, %j, %k] : memref<?x?x?xi32>
      scf.reduce 
    }
    return
  }
  func.func @all_once(%x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %init = arith.constant 3.0 : f32
    %0 = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%init) -> f32 {
      scf.reduce(%x : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    return %0 : f32
  }
  func.func @merged(%m: memref<?x?xf32>, %n: index, %k: index, %x: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      scf.parallel (%j) = (%c0) to (%k) step (%c1) {
        memref.store %x, %m[%i, %j] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
  func.func @held(%x: i32) {
    scf.while : () -> i1 {
      %0 = func.call @value() : () -> i32
      %1 = arith.cmpi eq, %0, %x : i32
      scf.condition(%1) %1 : i1
    } do {
    ^bb0(%c: i1):
      func.call @use(%c) : (i1) -> ()
      scf.yield
    }
    return
  }
}
// ===== expected
builtin.module {
  func.func private @effect()
  func.func private @use(i1)
  func.func private @value() -> i32
  func.func @chosen(%c: i1, %x: i32, %y: i32) -> (i32, i1, i1) {
    %true = arith.constant true
    %0 = arith.select %c, %x, %y : i32
    %1 = arith.xori %c, %true : i1
    scf.if %c {
      func.call @effect() : () -> ()
    }
    func.return %0, %c, %1 : i32, i1, i1
  }
  func.func @known_inside(%c: i1) {
    %false = arith.constant false
    %true = arith.constant true
    scf.if %c {
      func.call @use(%true) : (i1) -> ()
    } else {
      func.call @use(%false) : (i1) -> ()
    }
    func.return
  }
  func.func @negated(%c: i1) -> i32 {
    %0 = scf.if %c -> (i32) {
      func.call @effect() : () -> ()
      %1 = func.call @value() : () -> i32
      scf.yield %1 : i32
    } else {
      %1 = func.call @value() : () -> i32
      scf.yield %1 : i32
    }
    func.return %0 : i32
  }
  func.func @nested(%a: i1, %b: i1) {
    %0 = arith.andi %a, %b : i1
    scf.if %0 {
      func.call @effect() : () -> ()
    }
    func.return
  }
  func.func @empty_else(%a: i1) {
    scf.if %a {
      func.call @effect() : () -> ()
    }
    func.return
  }
  func.func @no_iteration(%n: index, %x: i32) -> i32 {
    func.return %x : i32
  }
  func.func @one_iteration(%m: memref<?x?x?xi32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c42 = arith.constant 42 : i32
    scf.parallel (%arg0) = (%c1) to (%n) step (%c1) {
      memref.store %c42, %m[%c0, %arg0, %c0] : memref<?x?x?xi32>
      scf.reduce 
    }
    func.return
  }
  func.func @all_once(%x: f32) -> f32 {
    %init = arith.constant 3.000000e+00 : f32
    %0 = arith.addf %x, %init : f32
    func.return %0 : f32
  }
  func.func @merged(%m: memref<?x?xf32>, %n: index, %k: index, %x: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg0, %arg1) = (%c0, %c0) to (%n, %k) step (%c1, %c1) {
      memref.store %x, %m[%arg0, %arg1] : memref<?x?xf32>
      scf.reduce 
    }
    func.return
  }
  func.func @held(%x: i32) {
    %true = arith.constant true
    scf.while : () -> () {
      %0 = func.call @value() : () -> i32
      %1 = arith.cmpi eq, %0, %x : i32
      scf.condition(%1)
    } do {
      func.call @use(%true) : (i1) -> ()
      scf.yield
    }
    func.return
  }
}
