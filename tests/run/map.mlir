// run
// One map; literal outputs beside random inputs.
// inputs: [1, 2, -3]
// outputs: [3, 5, -5]
// inputs: random:N where N = 0 1 7 255 256 257 5000
// structure: kernel.segmap 1, kernel.segred 0, kernel.segscan 0
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %one = arith.constant 1 : i32
  %ys = array.map (%x in %xs : [n]i32) {
    %d = arith.addi %x, %x : i32
    %y = arith.addi %d, %one : i32
    array.yield %y : i32
  }
  func.return %ys : !array.array<[n]i32>
}
