// pass: builtin.module(loop-unroll{full})
// Loops with known trip counts vanish, inner ones first; loops without iterations leave what they started with.
module {
  func.func private @use(index)
  func.func @nest(%x: i32) -> (i32, i32) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %x) -> (i32) {
      %q = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %s) -> (i32) {
        %t = arith.muli %u, %x : i32
        scf.yield %t : i32
      }
      func.call @use(%i) : (index) -> ()
      scf.yield %q : i32
    }
    %none = scf.for %i = %c2 to %c0 step %c1 iter_args(%s = %x) -> (i32) {
      %t = arith.muli %s, %s : i32
      scf.yield %t : i32
    }
    return %r, %none : i32, i32
  }
}
// ===== expected
builtin.module {
  func.func private @use(index)
  func.func @nest(%x: i32) -> (i32, i32) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %t = arith.muli %x, %x : i32
    %c1_0 = arith.constant 1 : index
    %t_1 = arith.muli %t, %x : i32
    func.call @use(%c0) : (index) -> ()
    %c1_2 = arith.constant 1 : index
    %t_3 = arith.muli %t_1, %x : i32
    %c1_4 = arith.constant 1 : index
    %t_5 = arith.muli %t_3, %x : i32
    func.call @use(%c1_2) : (index) -> ()
    func.return %t_5, %x : i32, i32
  }
}
