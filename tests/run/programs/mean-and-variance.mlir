// run
// Mean and variance of each row in one pass: an operator that merges counts, means and squared deviations.
// inputs: [[1.0, 2.0, 3.0, 4.0]]
// outputs: [2.5]; [1.25]
// inputs: random:NxM where N = 0 1 5; M = 1 31 32 33 1023 1025
// structure: kernel.segmap 1, kernel.segred 1
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%xss: !array.array<[n][m]f64>) -> (!array.array<[n]f64>, !array.array<[n]f64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %mean, %variance = array.map (%xs in %xss : [n][m]f64) {
    %count, %avg, %dev = array.redomap (%x in %xs : [m]f64) init (%zero : f64, %zero : f64, %zero : f64) neutral (%zero : f64, %zero : f64, %zero : f64) map {
      array.yield %one, %x, %zero : f64, f64, f64
    } combine (%n0, %m0, %d0, %n1, %m1, %d1) {
      %n = arith.addf %n0, %n1 : f64
      %some = arith.maximumf %n, %one : f64
      %delta = arith.subf %m1, %m0 : f64
      %share = arith.divf %n1, %some : f64
      %step = arith.mulf %delta, %share : f64
      %m = arith.addf %m0, %step : f64
      %d = arith.addf %d0, %d1 : f64
      %square = arith.mulf %delta, %delta : f64
      %weight = arith.mulf %n0, %share : f64
      %more = arith.mulf %square, %weight : f64
      %dd = arith.addf %d, %more : f64
      array.yield %n, %m, %dd : f64, f64, f64
    }
    %v = arith.divf %dev, %count : f64
    array.yield %avg, %v : f64, f64
  }
  func.return %mean, %variance : !array.array<[n]f64>, !array.array<[n]f64>
}
