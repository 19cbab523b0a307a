// errors: builtin.module(check-operators)
// Operators declared associative that are not, and initial values that are not neutral, are found on random values.
func.func @subtraction(%xs: !array.array<[n]i32>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = array.reduce (%x in %xs : [n]i32) init (%acc = %zero : i32) {
    %s = arith.subi %acc, %x : i32
    array.yield %s : i32
  }
  func.return %r : i32
}
// -----
func.func @one_is_not_neutral(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %one = arith.constant 1 : i32
  %r = array.scan (%x in %xs : [n]i32) init (%acc = %one : i32) {
    %s = arith.addi %acc, %x : i32
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
// -----
func.func @mean(%xs: !array.array<[n]f32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %r = array.redomap (%x in %xs : [n]f32) init (%zero : f32) map {
    array.yield %x : f32
  } combine (%a, %b) {
    %s = arith.addf %a, %b : f32
    %m = arith.mulf %s, %half : f32
    array.yield %m : f32
  }
  func.return %r : f32
}
