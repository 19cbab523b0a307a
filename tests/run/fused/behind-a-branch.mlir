// run
// An array made in a branch is reduced in the branch.
// inputs: [1, 2, 3]; 1
// outputs: 14
// inputs: [1, 2, 3]; 0
// outputs: 6
// inputs: random:N; 1 where N = 0 1 33 1025
// structure: kernel.segred 2
// versions: kernel.segred 2
func.func @main(%xs: !array.array<[n]i32>, %k: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %squared = arith.cmpi sgt, %k, %zero : i32
  %chosen = scf.if %squared -> (!array.array<[n]i32>) {
    %ys = array.map (%x in %xs : [n]i32) {
      %y = arith.muli %x, %x : i32
      array.yield %y : i32
    }
    scf.yield %ys : !array.array<[n]i32>
  } else {
    scf.yield %xs : !array.array<[n]i32>
  }
  %sum = array.reduce (%chosen : [n]i32) init (%zero : i32) combine arith.addi
  func.return %sum : i32
}
