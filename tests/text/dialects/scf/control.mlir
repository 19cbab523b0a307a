// round-trip
// Structured loops and branches, with and without results.
builtin.module {
  func.func @loops(%n: index, %x: f32, %c: i1) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = arith.addi %i, %i : index
    }
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (f32) {
      %0 = arith.addf %acc, %x : f32
      scf.yield %0 : f32
    }
    scf.if %c {
      %0 = arith.negf %x : f32
    }
    %picked = scf.if %c -> (f32) {
      scf.yield %sum : f32
    } else {
      %0 = arith.negf %x : f32
      scf.yield %0 : f32
    }
    func.return %picked : f32
  }
  func.func @while(%n: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %last = scf.while (%i = %n) : (i32) -> i32 {
      %more = arith.cmpi sgt, %i, %c1 : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %less = arith.subi %i, %c1 : i32
      scf.yield %less : i32
    }
    func.return %last : i32
  }
  func.func @parallel(%n: index, %x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
      scf.reduce 
    }
    %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
      scf.reduce(%x : f32) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        scf.reduce.return %s : f32
      }
    }
    func.return %sum : f32
  }
}
