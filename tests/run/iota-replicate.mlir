// run
// Arrays made of nothing but sizes, and a cast of an unknown size to a named one.
// inputs: 3; [10, 20, 30]
// outputs: [[7, 7], [7, 7], [7, 7]]; [10, 21, 32]
// inputs: N; random:N where N = 0 1 257
// structure: kernel.segmap 2
// versions: kernel.segmap 2
// shapes: 3
func.func @main(%n: index, %xs: !array.array<[n]i32>) -> (!array.array<[?][2]i32>, !array.array<[n]i32>) {
  %seven = arith.constant 7 : i32
  %two = arith.constant 2 : index
  %filled = array.replicate %seven, [%n, %two] : i32 -> [?][2]i32
  %numbers = array.iota %n : [?]i32
  %same = array.cast %numbers : [?]i32 -> [n]i32
  %ys = array.map (%x in %xs : [n]i32, %i in %same : [n]i32) {
    %y = arith.addi %x, %i : i32
    array.yield %y : i32
  }
  func.return %filled, %ys : !array.array<[?][2]i32>, !array.array<[n]i32>
}
