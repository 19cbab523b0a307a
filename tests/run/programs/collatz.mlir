// run
// Steps of the Collatz sequence of each number: a loop that tests in each point, with its own number of rounds.
// inputs: [1, 2, 3, 6, 7]
// outputs: [0, 1, 7, 8, 16]
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]i64>) -> !array.array<[n]i32> {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %r = array.map (%x in %xs : [n]i64) {
    %end, %count = scf.while (%y = %x, %k = %none) : (i64, i32) -> (i64, i32) {
      %go = arith.cmpi sgt, %y, %one : i64
      scf.condition(%go) %y, %k : i64, i32
    } do {
    ^bb0(%y: i64, %k: i32):
      %half = arith.shrsi %y, %one : i64
      %bit = arith.andi %y, %one : i64
      %odd = arith.cmpi eq, %bit, %one : i64
      %t = arith.muli %y, %three : i64
      %up = arith.addi %t, %one : i64
      %next = arith.select %odd, %up, %half : i64
      %k1 = arith.addi %k, %step : i32
      scf.yield %next, %k1 : i64, i32
    }
    array.yield %count : i32
  }
  func.return %r : !array.array<[n]i32>
}
