// round-trip
// A value under a condition, with and without numbers in the message.
builtin.module {
  func.func @require(%ok: i1, %i: index, %n: index, %x: f32, %y: f32) -> (index, f32) {
    %c0 = arith.constant 0 : index
    %j = check.require %ok, %i else %c0 : index, index, "index {0} is out of range for {1}"(%i, %n : index, index)
    %z = check.require %ok, %x else %y : f32, f32, "no number"
    func.return %j, %z : index, f32
  }
}
