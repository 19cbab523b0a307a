// round-trip
// Branches between basic blocks with arguments, and assertions.
builtin.module {
  func.func @count(%n: i32) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cf.br ^head(%c0 : i32)
  ^head(%i: i32):  // 2 preds: ^bb0, ^body
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^body, ^exit(%i : i32)
  ^body:  // pred: ^head
    %next = arith.addi %i, %c1 : i32
    cf.assert %more, "not past the end"
    cf.br ^head(%next : i32)
  ^exit(%result: i32):  // pred: ^head
    func.return %result : i32
  }
}
