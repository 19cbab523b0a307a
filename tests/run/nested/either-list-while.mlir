// run
// A loop of unknown rounds that carries one of two arrays: it leaves after three rounds at the latest, or by a sum.
// inputs: [1, 20, 30, -4]; [3, 1, 2]; [10, 20, 3]
// outputs: [6, 33, 33, 6]
// inputs: random:N; random:M; random:M where N = 0 1 40; M = 0 1 33
// structure: kernel.seghist 0, kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ks: !array.array<[n]i32>, %ys: !array.array<[m]i32>, %xs: !array.array<[m]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %r = array.map (%k in %ks : [n]i32) {
    %f = array.cast %ys : [m]i32 -> [?]i32
    %g = array.cast %xs : [m]i32 -> [?]i32
    %a, %t = scf.while (%x = %f, %t = %zero) : (!array.array<[?]i32>, i32) -> (!array.array<[?]i32>, i32) {
      %s = array.reduce (%x : [?]i32) init (%zero : i32) combine arith.addi
      %less = arith.cmpi slt, %s, %k : i32
      %early = arith.cmpi slt, %t, %three : i32
      %c = arith.andi %less, %early : i1
      scf.condition(%c) %x, %t : !array.array<[?]i32>, i32
    } do {
    ^bb0(%x: !array.array<[?]i32>, %t: i32):
      %u = arith.addi %t, %one : i32
      scf.yield %g, %u : !array.array<[?]i32>, i32
    }
    %s = array.reduce (%a : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
