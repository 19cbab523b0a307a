// run
// The best path through a trellis: a scan whose operator is a product of matrices over maximum and plus, on arrays.
// inputs: [[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [5.0, 0.0]]]
// outputs: [[[1.0, 2.0], [3.0, 4.0]], [[7.0, 2.0], [9.0, 4.0]]]
// inputs: random:Tx3x3 where T = 0 1 2 33 257
// structure: kernel.segmap 3
// versions: kernel.segmap 4, kernel.segred 2
func.func @main(%steps: !array.array<[t][s][s]f64>) -> !array.array<[t][s][s]f64> {
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %s = array.dim %steps, 1 : [t][s][s]f64
  %is = array.iota %s : [s]index
  %one = array.map (%i in %is : [s]index) {
    %row = array.map (%j in %is : [s]index) {
      %same = arith.cmpi eq, %i, %j : index
      %v = arith.select %same, %zero, %lowest : f64
      array.yield %v : f64
    }
    array.yield %row : [s]f64
  }
  %paths = array.scan (%steps : [t][s][s]f64) init (%one : [s][s]f64) neutral (%one : [s][s]f64) combine (%acc, %m) {
    %mt = array.rearrange %m, [1, 0] : [s][s]f64
    %p = array.map (%row in %acc : [s][s]f64) {
      %q = array.map (%column in %mt : [s][s]f64) {
        %best = array.redomap (%x in %row : [s]f64, %y in %column : [s]f64) init (%lowest : f64) map arith.addf combine arith.maximumf
        array.yield %best : f64
      }
      array.yield %q : [s]f64
    }
    array.yield %p : [s][s]f64
  }
  func.return %paths : !array.array<[t][s][s]f64>
}
