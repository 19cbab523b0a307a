// run
// A list of twice as many elements as the first of three lists; the longest of them, two rows, is made in the first round and comes to
// the front in the third one, if the sums of points get so far.
// inputs: [[1, 2, 3], [9, 0, 7]]; [100, 6]
// outputs: [681, 9]
// inputs: random:NxM; random:N where N = 1 5 40; M = 1 5 33
// structure: kernel.seghist 0, kernel.segmap 1
// versions: kernel.segmap 1
// shapes: 6
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %p = array.slice %xs[%c0] sizes [%c1] strides [%c1] : [m]i32 -> [?]i32
    %q = array.slice %xs[%c0] sizes [%c1] strides [%c1] : [m]i32 -> [?]i32
    %first = array.index %xs[%c0] : [m]i32
    %a, %b, %s, %t = scf.while (%x = %p, %y = %q, %s = %first, %t = %zero) : (!array.array<[?]i32>, !array.array<[?]i32>, i32, i32) -> (!array.array<[?]i32>, !array.array<[?]i32>, i32, i32) {
      %less = arith.cmpi slt, %s, %k : i32
      %early = arith.cmpi slt, %t, %four : i32
      %go = arith.andi %less, %early : i1
      scf.condition(%go) %x, %y, %s, %t : !array.array<[?]i32>, !array.array<[?]i32>, i32, i32
    } do {
    ^bb0(%x: !array.array<[?]i32>, %y: !array.array<[?]i32>, %s: i32, %t: i32):
      %u = arith.addi %t, %one : i32
      %twice = array.concat %x, %x : [?]i32, [?]i32 -> [?]i32
      %sums = scf.for %i = %c0 to %c2 step %c1 iter_args(%l = %twice) -> (!array.array<[?]i32>) {
        %v = array.scan (%l : [?]i32) init (%zero : i32) combine arith.addi
        scf.yield %v : !array.array<[?]i32>
      }
      %e = array.reduce (%sums : [?]i32) init (%s : i32) combine arith.addi
      %rows = array.concat %xs, %xs : [m]i32, [m]i32 -> [?]i32
      scf.yield %y, %rows, %e, %u : !array.array<[?]i32>, !array.array<[?]i32>, i32, i32
    }
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
