// run
// Elements are halved until their sum is small: what a round decides by is summed while the round before makes it.
// inputs: [8, 4, 2]; 5
// outputs: [2, 1, 0]
// inputs: [1, 2]; 5
// outputs: [1, 2]
// inputs: random:N; 7 where N = 0 1 31 32 33 1025
// structure: kernel.segred 2
// versions: kernel.segred 2
func.func @main(%xs: !array.array<[n]i32>, %limit: i32) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = scf.while (%a = %xs) : (!array.array<[n]i32>) -> !array.array<[n]i32> {
    %sum = array.reduce (%a : [n]i32) init (%zero : i32) combine arith.addi
    %large = arith.cmpi sgt, %sum, %limit : i32
    scf.condition(%large) %a : !array.array<[n]i32>
  } do {
  ^bb0(%b: !array.array<[n]i32>):
    %next = array.map (%x in %b : [n]i32) {
      %y = arith.shrsi %x, %one : i32
      array.yield %y : i32
    }
    scf.yield %next : !array.array<[n]i32>
  }
  func.return %last : !array.array<[n]i32>
}
