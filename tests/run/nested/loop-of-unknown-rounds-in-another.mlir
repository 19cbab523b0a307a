// run
// Both shorten a list or take it anew, as its elements say; it is never longer than two rows.
// inputs: [[1, 2, 3, -4, 5, 6, 7], [3, 1, 2, 9, 2, 1, 1]]; [1, 2]
// outputs: [-25, -28]
// structure: kernel.seghist 0, kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
    %a0 = array.cast %xs : [m]i32 -> [?]i32
    %a, %t = scf.while (%p = %a0, %t = %zero) : (!array.array<[?]i32>, i32) -> (!array.array<[?]i32>, i32) {
      %s = array.reduce (%p : [?]i32) init (%zero : i32) combine arith.maxsi
      %more = arith.cmpi sgt, %s, %t : i32
      scf.condition(%more) %p, %t : !array.array<[?]i32>, i32
    } do {
    ^bb0(%p: !array.array<[?]i32>, %t: i32):
      %u = arith.addi %t, %one : i32
      %q = scf.while (%p2 = %p) : (!array.array<[?]i32>) -> (!array.array<[?]i32>) {
        %s = array.reduce (%p2 : [?]i32) init (%zero : i32) combine arith.maxsi
        %more = arith.cmpi sgt, %s, %k : i32
        scf.condition(%more) %p2 : !array.array<[?]i32>
      } do {
      ^bb0(%p2: !array.array<[?]i32>):
        %len = array.dim %p2, 0 : [?]i32
        %l1 = arith.subi %len, %c1 : index
        %h = array.slice %p2[%c0] sizes [%l1] strides [%c1] : [?]i32 -> [?]i32
        %h2 = array.map (%x in %h : [?]i32) {
          %y = arith.subi %x, %one : i32
          array.yield %y : i32
        }
        scf.yield %h2 : !array.array<[?]i32>
      }
      %d = array.concat %xs, %xs : [m]i32, [m]i32 -> [?]i32
      %even = arith.andi %u, %one : i32
      %odd = arith.cmpi eq, %even, %one : i32
      %z = scf.if %odd -> (!array.array<[?]i32>) {
        scf.yield %d : !array.array<[?]i32>
      } else {
        scf.yield %q : !array.array<[?]i32>
      }
      scf.yield %z, %u : !array.array<[?]i32>, i32
    }
    %s = array.reduce (%a : [?]i32) init (%t : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
