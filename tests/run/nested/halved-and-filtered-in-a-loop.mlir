// run
// A list loses half of its elements, and of the rest those that are not positive, in each round.
// inputs: [[1, 2, 3, -4, 5, 6, 7], [3, 1, 2, 9, 2, 1, 1]]; [1, 2]
// outputs: [6, 3]
// structure: kernel.seghist 0, kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]index>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]index) {
    %a0 = array.cast %xs : [m]i32 -> [?]i32
    %a = scf.for %t = %c0 to %k step %c1 iter_args(%p = %a0) -> (!array.array<[?]i32>) {
      %n = array.dim %p, 0 : [?]i32
      %h = arith.divui %n, %c2 : index
      %q = array.slice %p[%c0] sizes [%h] strides [%c1] : [?]i32 -> [?]i32
      %f = array.filter (%x in %q : [?]i32) -> [?] {
        %g = arith.cmpi sgt, %x, %zero : i32
        array.yield %g : i1
      }
      scf.yield %f : !array.array<[?]i32>
    }
    %s = array.reduce (%a : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
