// run
// A power of a matrix by squaring: a loop whose branch multiplies or does not, on integers that wrap.
// inputs: [[1, 1], [1, 0]]; 10
// outputs: [[89, 55], [55, 34]]
// inputs: random:NxN; K where N = 0 1 5; K = 0 1 6
// structure: kernel.segmap 3
// versions: kernel.segmap 5, kernel.segred 4
func.func @main(%m: !array.array<[n][n]i64>, %k: index) -> !array.array<[n][n]i64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = array.dim %m, 0 : [n][n]i64
  %is = array.iota %n : [n]index
  %unit = array.map (%i in %is : [n]index) {
    %row = array.map (%j in %is : [n]index) {
      %same = arith.cmpi eq, %i, %j : index
      %v = arith.select %same, %one, %zero : i64
      array.yield %v : i64
    }
    array.yield %row : [n]i64
  }
  %r, %s, %e = scf.while (%r = %unit, %s = %m, %e = %k) : (!array.array<[n][n]i64>, !array.array<[n][n]i64>, index) -> (!array.array<[n][n]i64>, !array.array<[n][n]i64>, index) {
    %go = arith.cmpi ugt, %e, %c0 : index
    scf.condition(%go) %r, %s, %e : !array.array<[n][n]i64>, !array.array<[n][n]i64>, index
  } do {
  ^bb0(%rk: !array.array<[n][n]i64>, %sk: !array.array<[n][n]i64>, %ek: index):
    %bit = arith.andi %ek, %c1 : index
    %odd = arith.cmpi eq, %bit, %c1 : index
    %rn = scf.if %odd -> (!array.array<[n][n]i64>) {
      %p = func.call @product(%rk, %sk) : (!array.array<[n][n]i64>, !array.array<[n][n]i64>) -> !array.array<[n][n]i64>
      scf.yield %p : !array.array<[n][n]i64>
    } else {
      scf.yield %rk : !array.array<[n][n]i64>
    }
    %sn = func.call @product(%sk, %sk) : (!array.array<[n][n]i64>, !array.array<[n][n]i64>) -> !array.array<[n][n]i64>
    %en = arith.shrui %ek, %c1 : index
    scf.yield %rn, %sn, %en : !array.array<[n][n]i64>, !array.array<[n][n]i64>, index
  }
  func.return %r : !array.array<[n][n]i64>
}
func.func private @product(%a: !array.array<[i][k]i64>, %b: !array.array<[k][j]i64>) -> !array.array<[i][j]i64> {
  %zero = arith.constant 0 : i64
  %bt = array.rearrange %b, [1, 0] : [k][j]i64
  %c = array.map (%row in %a : [i][k]i64) {
    %r = array.map (%column in %bt : [j][k]i64) {
      %d = array.redomap (%x in %row : [k]i64, %y in %column : [k]i64) init (%zero : i64) map arith.muli combine arith.addi
      array.yield %d : i64
    }
    array.yield %r : [j]i64
  }
  func.return %c : !array.array<[i][j]i64>
}
