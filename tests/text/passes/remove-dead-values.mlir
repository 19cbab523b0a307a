// pass: builtin.module(remove-dead-values,canonicalize)
// upstream: --remove-dead-values --canonicalize
// Arguments and results no caller needs, values loops and branches carry for nobody.
module {
  func.func private @partly(%a: i32, %b: i32) -> (i32, i32) {
    %0 = arith.addi %b, %b : i32
    func.return %a, %0 : i32, i32
  }
  func.func private @store(%m: memref<i32>, %unused: i32) {
    %c0 = arith.constant 0 : i32
    memref.store %c0, %m[] : memref<i32>
    func.return
  }
  func.func @main(%x: i32, %y: i32, %m: memref<i32>) -> i32 {
    %0:2 = func.call @partly(%x, %y) : (i32, i32) -> (i32, i32)
    func.call @store(%m, %0#1) : (memref<i32>, i32) -> ()
    func.return %0#0 : i32
  }
  func.func @carried(%n: index, %x: i32, %y: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
      %1 = arith.addi %a, %a : i32
      %2 = arith.muli %b, %a : i32
      scf.yield %1, %2 : i32, i32
    }
    func.return %0#0 : i32
  }
  func.func @blocks(%c: i1) {
    %0 = arith.constant 0 : i32
    cf.br ^a(%0 : i32)
  ^a(%x: i32):
    cf.cond_br %c, ^a(%x : i32), ^b(%x : i32)
  ^b(%y: i32):
    func.return
  }
}
// ===== expected
builtin.module {
  func.func private @partly(%a: i32) -> i32 {
    func.return %a : i32
  }
  func.func private @store(%m: memref<i32>) {
    %c0 = arith.constant 0 : i32
    memref.store %c0, %m[] : memref<i32>
    func.return
  }
  func.func @main(%x: i32, %y: i32, %m: memref<i32>) -> i32 {
    %0 = func.call @partly(%x) : (i32) -> i32
    func.call @store(%m) : (memref<i32>) -> ()
    func.return %0 : i32
  }
  func.func @carried(%n: index, %x: i32, %y: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
      %1 = arith.addi %a, %a : i32
      scf.yield %1 : i32
    }
    func.return %0 : i32
  }
  func.func @blocks(%c: i1) {
    cf.br ^a
  ^a:  // 2 preds: ^bb0, ^a
    cf.cond_br %c, ^a, ^b
  ^b:  // pred: ^a
    func.return
  }
}
