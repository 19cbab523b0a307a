// run
// A list at each point of two maps that grows in a loop without a bound inside of a loop, as often as an element says.
// inputs: [[0, 1, 2], [3, 5, 7]]
// inputs: random:NxM where N = 0 1 13; M = 1 7
// numpy: def at(x):
// numpy:   l, n = [], x & 3
// numpy:   for i in range(n):
// numpy:     for c in range(n + 1): l = [c] * i + l
// numpy:   return max([0] + list(np.cumsum(l, dtype=np.int64))) + len(l)
// numpy: np.array([at(int(x)) for x in xss.flat], dtype=np.int32).reshape(xss.shape)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[t][m]i32>) -> !array.array<[t][m]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %A = array.map (%xs in %xss : [t][m]i32) {
    %row = array.map (%x in %xs : [m]i32) {
      %three = arith.constant 3 : i32
      %n3 = arith.andi %x, %three : i32
      %n = arith.index_cast %n3 : i32 to index
      %e = array.iota %c0 : [?]i32
      %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> (!array.array<[?]i32>) {
        %r, %cnt = scf.while (%b = %a, %c = %zero) : (!array.array<[?]i32>, i32) -> (!array.array<[?]i32>, i32) {
          %more = arith.cmpi sle, %c, %n3 : i32
          scf.condition(%more) %b, %c : !array.array<[?]i32>, i32
        } do {
        ^bb0(%b: !array.array<[?]i32>, %c: i32):
          %cs = array.replicate %c, [%i] : i32 -> [?]i32
          %g = array.concat %cs, %b : [?]i32, [?]i32 -> [?]i32
          %c1_ = arith.addi %c, %one : i32
          scf.yield %g, %c1_ : !array.array<[?]i32>, i32
        }
        scf.yield %r : !array.array<[?]i32>
      }
      %sc = array.scan (%l : [?]i32) init (%zero : i32) combine arith.addi
      %s = array.reduce (%sc : [?]i32) init (%zero : i32) combine arith.maxsi
      %f = array.dim %l, 0 : [?]i32
      %fi = arith.index_cast %f : index to i32
      %res = arith.addi %s, %fi : i32
      array.yield %res : i32
    }
    array.yield %row : [m]i32
  }
  func.return %A : !array.array<[t][m]i32>
}
