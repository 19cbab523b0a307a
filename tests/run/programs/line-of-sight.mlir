// run
// Which points of each profile are seen from its start: an exclusive scan of the steepest angle so far, and a comparison.
// inputs: [[0.0, 1.0, 1.5, 6.0, 1.0]]
// outputs: [[true, true, false, true, false]]
// inputs: random:NxM where N = 0 1 5; M = 0 1 31 32 33 1023 1025
// structure: kernel.segmap 1, kernel.segscan 1
// versions: kernel.segmap 4, kernel.segscan 2
func.func @main(%heights: !array.array<[n][m]f64>) -> !array.array<[n][m]i1> {
  %m = array.dim %heights, 1 : [n][m]f64
  %low = arith.constant 0xFFF0000000000000 : f64
  %one = arith.constant 1.0 : f64
  %is = array.iota %m : [m]i32
  %seen = array.map (%hs in %heights : [n][m]f64) {
    %before, %angles = array.scanomap exclusive (%h in %hs : [m]f64, %i in %is : [m]i32) init (%low : f64) map {
      %x = arith.sitofp %i : i32 to f64
      %d = arith.addf %x, %one : f64
      %angle = arith.divf %h, %d : f64
      array.yield %angle, %angle : f64, f64
    } combine (%a, %b) {
      %c = arith.maximumf %a, %b : f64
      array.yield %c : f64
    }
    %over = array.map (%a in %angles : [m]f64, %b in %before : [m]f64) {
      %o = arith.cmpf ogt, %a, %b : f64
      array.yield %o : i1
    }
    array.yield %over : [m]i1
  }
  func.return %seen : !array.array<[n][m]i1>
}
