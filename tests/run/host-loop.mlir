// run
// A loop on the host around a kernel: each round reads what the round before wrote.
// inputs: 3; [1, 2]
// outputs: [15, 23]
// inputs: ROUNDS; random:N where ROUNDS = 0 1 5; N = 0 1 300
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%rounds: index, %xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %last = scf.for %i = %zero to %rounds step %step iter_args(%ys = %xs) -> (!array.array<[n]i32>) {
    %zs = array.map (%y in %ys : [n]i32) {
      %d = arith.addi %y, %y : i32
      %z = arith.addi %d, %one : i32
      array.yield %z : i32
    }
    scf.yield %zs : !array.array<[n]i32>
  }
  func.return %last : !array.array<[n]i32>
}
