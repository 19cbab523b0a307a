// run
// How often z -> z^2 + c stays within a circle: a loop that tests, with another number of rounds at each point.
// inputs: [0.0, 2.0, -1.0]; [0.0, 0.5]
// outputs: [[20, 20], [1, 1], [20, 5]]
// inputs: random:N; random:M where N = 0 1 33; M = 1 31
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%re: !array.array<[n]f64>, %im: !array.array<[m]f64>) -> !array.array<[n][m]i32> {
  %zero = arith.constant 0.0 : f64
  %four = arith.constant 4.0 : f64
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.constant 20 : i32
  %r = array.map (%a in %re : [n]f64) {
    %row = array.map (%b in %im : [m]f64) {
      %x, %y, %count = scf.while (%x = %zero, %y = %zero, %k = %none) : (f64, f64, i32) -> (f64, f64, i32) {
        %x2 = arith.mulf %x, %x : f64
        %y2 = arith.mulf %y, %y : f64
        %d = arith.addf %x2, %y2 : f64
        %inside = arith.cmpf olt, %d, %four : f64
        %few = arith.cmpi slt, %k, %most : i32
        %go = arith.andi %inside, %few : i1
        scf.condition(%go) %x, %y, %k : f64, f64, i32
      } do {
      ^bb0(%x: f64, %y: f64, %k: i32):
        %x2 = arith.mulf %x, %x : f64
        %y2 = arith.mulf %y, %y : f64
        %d = arith.subf %x2, %y2 : f64
        %nx = arith.addf %d, %a : f64
        %xy = arith.mulf %x, %y : f64
        %xy2 = arith.addf %xy, %xy : f64
        %ny = arith.addf %xy2, %b : f64
        %k1 = arith.addi %k, %one : i32
        scf.yield %nx, %ny, %k1 : f64, f64, i32
      }
      array.yield %count : i32
    }
    array.yield %row : [m]i32
  }
  func.return %r : !array.array<[n][m]i32>
}
