// run
// A loop with a data-dependent number of rounds in every thread: steps of the Collatz sequence.
// inputs: [1, 6, 7, 27]
// outputs: [0, 8, 16, 111]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]i64>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %one64 = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %rs = array.map (%x in %xs : [n]i64) {
    %last, %steps = scf.while (%v = %x, %k = %zero) : (i64, i32) -> (i64, i32) {
      %more = arith.cmpi sgt, %v, %one64 : i64
      scf.condition(%more) %v, %k : i64, i32
    } do {
    ^bb0(%v: i64, %k: i32):
      %bit = arith.andi %v, %one64 : i64
      %odd = arith.cmpi eq, %bit, %one64 : i64
      %half = arith.shrsi %v, %one64 : i64
      %triple = arith.muli %v, %three : i64
      %up = arith.addi %triple, %one64 : i64
      %next = arith.select %odd, %up, %half : i64
      %k1 = arith.addi %k, %one : i32
      scf.yield %next, %k1 : i64, i32
    }
    array.yield %steps : i32
  }
  func.return %rs : !array.array<[n]i32>
}
