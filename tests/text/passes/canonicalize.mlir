// pass: builtin.module(canonicalize)
// Constants fold and are shared, identities vanish, unused operands go.
module {
  func.func @fold(%x: i32, %f: f32) -> (i32, i32, f32) {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %sum = arith.addi %c2, %c3 : i32
    %same = arith.addi %x, %c0 : i32
    %product = arith.muli %sum, %same : i32
    %one = arith.constant 1.0 : f32
    %g = arith.mulf %f, %one : f32
    return %sum, %product, %g : i32, i32, f32
  }
  func.func @branch(%x: f32) -> f32 {
    %true = arith.constant true
    %y = scf.if %true -> (f32) {
      %a = arith.addf %x, %x : f32
      scf.yield %a : f32
    } else {
      %b = arith.negf %x : f32
      scf.yield %b : f32
    }
    return %y : f32
  }
  func.func @views(%xs: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
    %same = array.rearrange %xs, [0, 1] : [n][m]f32
    return %same : !array.array<[n][m]f32>
  }
}
// ===== expected
builtin.module {
  func.func @fold(%x: i32, %f: f32) -> (i32, i32, f32) {
    %c5_i32 = arith.constant 5 : i32
    %product = arith.muli %x, %c5_i32 : i32
    func.return %c5_i32, %product, %f : i32, i32, f32
  }
  func.func @branch(%x: f32) -> f32 {
    %a = arith.addf %x, %x : f32
    func.return %a : f32
  }
  func.func @views(%xs: !array.array<[n][m]f32>) -> !array.array<[n][m]f32> {
    func.return %xs : !array.array<[n][m]f32>
  }
}
