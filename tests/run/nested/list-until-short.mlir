// run
// Each point takes what is above a growing limit from a list until few are left: nobody knows how many rounds that takes.
// inputs: [[1, 2, 3, -4, 5, 6, 7], [3, 1, 2, 9, 2, 1, 1]]; [1, 3]
// outputs: [7, 12]; [1, 2]
// inputs: random:NxM; random:N where N = 0 1 5 40; M = 0 1 33
// structure: kernel.seghist 0, kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]index>) -> (!array.array<[n]i32>, !array.array<[n]index>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r, %l = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]index) {
    %a0 = array.cast %xs : [m]i32 -> [?]i32
    %a, %t = scf.while (%p = %a0, %t = %zero) : (!array.array<[?]i32>, i32) -> (!array.array<[?]i32>, i32) {
      %len = array.dim %p, 0 : [?]i32
      %more = arith.cmpi ugt, %len, %k : index
      scf.condition(%more) %p, %t : !array.array<[?]i32>, i32
    } do {
    ^bb0(%p: !array.array<[?]i32>, %t: i32):
      %f = array.filter (%x in %p : [?]i32) -> [?] {
        %c = arith.cmpi sgt, %x, %t : i32
        array.yield %c : i1
      }
      %u = arith.addi %t, %one : i32
      scf.yield %f, %u : !array.array<[?]i32>, i32
    }
    %s = array.reduce (%a : [?]i32) init (%zero : i32) combine arith.addi
    %len = array.dim %a, 0 : [?]i32
    array.yield %s, %len : i32, index
  }
  func.return %r, %l : !array.array<[n]i32>, !array.array<[n]index>
}
