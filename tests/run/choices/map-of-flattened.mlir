// run
// Flattened, mapped and unflattened: one nest of the array's own dimensions.
// inputs: random:N; K where N = 0 1 7 33; K = 0 1 5 64
// numpy: x[:, None] * 10 + np.arange(k, dtype=np.int32)[None, :] + 1
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%x: !array.array<[n]i32>, %k: index) -> !array.array<[n][k]i32> {
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %n = array.dim %x, 0 : [n]i32
  %js = array.iota %k : [k]i32
  %i2 = array.map (%v in %x : [n]i32) {
    %v10 = arith.muli %v, %ten : i32
    %row = array.map (%j in %js : [k]i32) {
      %y = arith.addi %v10, %j : i32
      array.yield %y : i32
    }
    array.yield %row : [k]i32
  }
  %nk = arith.muli %n, %k : index
  %flat = array.reshape %i2, [%nk] : [n][k]i32 -> [nk]i32
  %flat1 = array.map (%v in %flat : [nk]i32) {
    %y = arith.addi %v, %one : i32
    array.yield %y : i32
  }
  %i = array.reshape %flat1, [%n, %k] : [nk]i32 -> [n][k]i32
  func.return %i : !array.array<[n][k]i32>
}
