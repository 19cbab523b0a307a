// run
// Conjugate gradients: a loop on the host until the residual is small or the steps are used up.
// inputs: [[4.0, 1.0], [1.0, 3.0]]; [1.0, 2.0]; 10
// outputs: [0.09090909090909091, 0.6363636363636364]; 2
// inputs: [[2.0]]; [4.0]; 0
// given: the matrix is symmetric and positive; for others rounding decides what comes out
// structure: kernel.segmap 2, kernel.segred 4
// versions: kernel.segmap 4, kernel.segred 5
func.func @main(%a: !array.array<[n][n]f64>, %b: !array.array<[n]f64>, %most: index) -> (!array.array<[n]f64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %small = arith.constant 1.0e-20 : f64
  %n = array.dim %b, 0 : [n]f64
  %x0 = array.replicate %zero, [%n] : f64 -> [n]f64
  %rr0 = array.redomap (%x in %b : [n]f64, %y in %b : [n]f64) init (%zero : f64) map arith.mulf combine arith.addf
  %x, %r, %p, %rr, %k = scf.while (%x = %x0, %r = %b, %p = %b, %rr = %rr0, %k = %c0) : (!array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, f64, index) -> (!array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, f64, index) {
    %large = arith.cmpf ogt, %rr, %small : f64
    %left = arith.cmpi ult, %k, %most : index
    %go = arith.andi %large, %left : i1
    scf.condition(%go) %x, %r, %p, %rr, %k : !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, f64, index
  } do {
  ^bb0(%xk: !array.array<[n]f64>, %rk: !array.array<[n]f64>, %pk: !array.array<[n]f64>, %rrk: f64, %kk: index):
    %ap = array.map (%row in %a : [n][n]f64) {
      %d = array.redomap (%u in %row : [n]f64, %v in %pk : [n]f64) init (%zero : f64) map arith.mulf combine arith.addf
      array.yield %d : f64
    }
    %pap = array.redomap (%u in %pk : [n]f64, %v in %ap : [n]f64) init (%zero : f64) map arith.mulf combine arith.addf
    %alpha = arith.divf %rrk, %pap : f64
    %xn = array.map (%u in %xk : [n]f64, %v in %pk : [n]f64) {
      %m = arith.mulf %alpha, %v : f64
      %s = arith.addf %u, %m : f64
      array.yield %s : f64
    }
    %rn = array.map (%u in %rk : [n]f64, %v in %ap : [n]f64) {
      %m = arith.mulf %alpha, %v : f64
      %s = arith.subf %u, %m : f64
      array.yield %s : f64
    }
    %rrn = array.redomap (%u in %rn : [n]f64, %v in %rn : [n]f64) init (%zero : f64) map arith.mulf combine arith.addf
    %beta = arith.divf %rrn, %rrk : f64
    %pn = array.map (%u in %rn : [n]f64, %v in %pk : [n]f64) {
      %m = arith.mulf %beta, %v : f64
      %s = arith.addf %u, %m : f64
      array.yield %s : f64
    }
    %kn = arith.addi %kk, %c1 : index
    scf.yield %xn, %rn, %pn, %rrn, %kn : !array.array<[n]f64>, !array.array<[n]f64>, !array.array<[n]f64>, f64, index
  }
  func.return %x, %k : !array.array<[n]f64>, index
}
