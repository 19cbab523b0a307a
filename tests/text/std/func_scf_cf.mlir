// round-trip
// Every op of builtin, func, scf and cf, in its custom form.
builtin.module {
  builtin.module @inner attributes {test.note = "nested"} {
  }
  func.func private @elsewhere(i32, f32 {test.note}) -> (i32, f32)
  func.func public @attributes(%a: i32 {test.note = 1 : i64}, %b: f32) -> (i32 {test.note}, f32) attributes {kind = "test"} {
    %0:2 = func.call @elsewhere(%a, %b) : (i32, f32) -> (i32, f32)
    func.return %0#0, %0#1 : i32, f32
  }
  func.func @structured(%n: index, %x: f32, %c: i1, %k: i32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.if %c {
      }
    }
    scf.for unsigned %i = %k to %k step %k : i32 {
    }
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %3 = scf.if %c -> (f32) {
        scf.yield %s : f32
      } else {
        scf.yield %x : f32
      }
      scf.yield %3 : f32
    }
    scf.if %c {
    } else {
    }
    %1:2 = scf.while (%a = %x, %b = %n) : (f32, index) -> (f32, index) {
      scf.condition(%c) %a, %b : f32, index
    } do {
    ^bb0(%a: f32, %b: index):
      scf.yield %a, %b : f32, index
    }
    scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
      scf.reduce 
    }
    %2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
      scf.reduce(%x : f32) {
      ^bb0(%l: f32, %r: f32):
        %3 = arith.addf %l, %r : f32
        scf.reduce.return %3 : f32
      }
    }
    func.return %2 : f32
  }
  func.func @branches(%c: i1, %a: i32) -> i32 {
    cf.assert %c, "the condition must hold"
    cf.cond_br %c, ^bb1(%a : i32), ^bb2
  ^bb1(%x: i32):  // pred: ^bb0
    %0 = builtin.unrealized_conversion_cast %x : i32 to i32
    cf.br ^bb3(%0 : i32)
  ^bb2:  // pred: ^bb0
    cf.br ^bb3(%a : i32)
  ^bb3(%y: i32):  // 2 preds: ^bb1, ^bb2
    func.return %y : i32
  }
}
