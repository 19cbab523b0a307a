// run
// Indices that are made and read once, weights that the caller keeps, and a table that many threads read: loads with hints.
// inputs: [0, 1, 5]; [1.0, 2.0, 3.0]; [10.0, 20.0, 30.0]
// outputs: [10.0, 40.0, 30.0]
// inputs: random:N; random:N; random:M where N = 0 1 31 257 1031; M = 1 7 1000
// structure: kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 1, kernel.segscan 1
// shapes: 6
func.func @main(%is: !array.array<[n]i32>, %ws: !array.array<[n]f16>, %xs: !array.array<[m]f64>) -> !array.array<[n]f64> {
  %c0 = arith.constant 0 : i32
  %m = array.dim %xs, 0 : [m]f64
  %extent = arith.index_cast %m : index to i32
  // A scan makes them, which no map is fused with.
  %js = array.scan (%is : [n]i32) init (%c0 : i32) combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    array.yield %s : i32
  }
  %ys = array.map (%j in %js : [n]i32, %w in %ws : [n]f16) {
    %k = arith.remui %j, %extent : i32
    %at = arith.index_castui %k : i32 to index
    %x = array.index %xs[%at] : [m]f64
    %wide = arith.extf %w : f16 to f64
    %y = arith.mulf %x, %wide : f64
    array.yield %y : f64
  }
  func.return %ys : !array.array<[n]f64>
}
