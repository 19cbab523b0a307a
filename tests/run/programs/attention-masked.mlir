// run
// Products weighed by powers of two of how near a row's scores are to its least, in f64; a row's earlier columns are masked, so that whole
// tiles of some rows are, and all of those whose `%low` is below a quarter, which makes NaN of them. Twice the sum, divided
// by one more than that of the weights, and a matrix come to the result.
// inputs: [[0.5]]; [[2.0]]; [[3.0]]; [[1.0]]; [1.0]
// outputs: [[4.0]]
// inputs: [[0.5], [1.0]]; [[2.0], [1.0]]; [[3.0], [5.0]]; [[1.0], [1.0]]; [0.5, 0.0]
// outputs: [[6.15022110482233], [nan]]
// inputs: random:NxD; random:NxD; random:NxE; random:NxE; random:N where N = 1 33 70; D = 40; E = 33
// structure: kernel.segmap 2, kernel.segred 2
// versions: kernel.segmap 10, kernel.segred 10
func.func @main(%q: !array.array<[n][d]f64>, %k: !array.array<[n][d]f64>, %v: !array.array<[n][e]f64>, %residual: !array.array<[n][e]f64>, %low: !array.array<[n]f64>) -> !array.array<[n][e]f64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %least = arith.constant 0.25 : f64
  %highest = arith.constant 0x7FF0000000000000 : f64
  %n = array.dim %k, 0 : [n][d]f64
  %is = array.iota %n : [n]index
  %vt = array.rearrange %v, [1, 0] : [n][e]f64
  %r = array.map (%row in %q : [n][d]f64, %rs in %residual : [n][e]f64, %i in %is : [n]index, %l in %low : [n]f64) {
    %scores = array.map (%key in %k : [n][d]f64, %j in %is : [n]index) {
      %dot = array.redomap (%x in %row : [d]f64, %y in %key : [d]f64) init (%zero : f64) map arith.mulf combine arith.addf
      %later = arith.cmpi sge, %j, %i : index
      %some = arith.cmpf oge, %l, %least : f64
      %kept = arith.andi %later, %some : i1
      %s = arith.select %kept, %dot, %highest : f64
      array.yield %s : f64
    }
    %min = array.reduce (%scores : [n]f64) init (%highest : f64) combine (%acc, %x) {
      %less = arith.minimumf %acc, %x : f64
      array.yield %less : f64
    }
    %es = array.map (%x in %scores : [n]f64) {
      %s = arith.subf %min, %x fastmath<reassoc> : f64
      %t = arith.mulf %s, %three fastmath<reassoc> : f64
      %p = math.exp2 %t fastmath<reassoc> : f64
      array.yield %p : f64
    }
    %sum = array.reduce (%es : [n]f64) init (%zero : f64) combine (%acc, %x) {
      %s = arith.addf %acc, %x fastmath<reassoc> : f64
      array.yield %s : f64
    }
    %out = array.map (%column in %vt : [e][n]f64, %start in %rs : [e]f64) {
      %dot = array.redomap (%x in %es : [n]f64, %y in %column : [n]f64) init (%zero : f64) map {
        %xy = arith.mulf %x, %y fastmath<reassoc,contract> : f64
        array.yield %xy : f64
      } combine (%a, %b) {
        %ab = arith.addf %a, %b fastmath<reassoc,contract> : f64
        array.yield %ab : f64
      }
      %more = arith.addf %sum, %one : f64
      %mean = arith.divf %dot, %more : f64
      %twice = arith.mulf %mean, %two : f64
      %o = arith.addf %twice, %start : f64
      array.yield %o : f64
    }
    array.yield %out : [e]f64
  }
  func.return %r : !array.array<[n][e]f64>
}
