// run
// Each round takes the sum of what the round before made off every element: a round is one traversal.
// inputs: [1, 2, 3]; 2
// outputs: [7, 8, 9]
// inputs: random:N; 3 where N = 0 1 31 32 33 1025
// structure: kernel.segred 2
// versions: kernel.segred 2
func.func @main(%xs: !array.array<[n]i32>, %rounds: index) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %rounds step %c1 iter_args(%a = %xs) -> (!array.array<[n]i32>) {
    %sum = array.reduce (%a : [n]i32) init (%zero : i32) combine arith.addi
    %next = array.map (%x in %a : [n]i32) {
      %y = arith.subi %x, %sum : i32
      array.yield %y : i32
    }
    scf.yield %next : !array.array<[n]i32>
  }
  func.return %last : !array.array<[n]i32>
}
