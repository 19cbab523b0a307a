// pass: builtin.module(dce)
// An unused op goes, with the ops only it used; ops with effects stay.
module {
  func.func private @effect(i32)
  func.func @f(%x: i32, %ys: !array.array<[n]f32>) -> i32 {
    %a = arith.addi %x, %x : i32
    %b = arith.muli %a, %a : i32
    %unused = array.map (%y in %ys : [n]f32) {
      %z = arith.negf %y : f32
      array.yield %z : f32
    }
    %kept = arith.subi %x, %x : i32
    call @effect(%kept) : (i32) -> ()
    return %x : i32
  }
}
// ===== expected
builtin.module {
  func.func private @effect(i32)
  func.func @f(%x: i32, %ys: !array.array<[n]f32>) -> i32 {
    %kept = arith.subi %x, %x : i32
    func.call @effect(%kept) : (i32) -> ()
    func.return %x : i32
  }
}
