// run
// The element at 0, which a failed check reads instead, never ends the loop: threads that have failed leave it.
// inputs: [1, 0, 2]; [0, 0, 1, 7]
// outputs: [0, 0, 0]
// inputs: [1, 2, 1]; [2, 0, 4, 7]
// error: @%e = array.index@ ... 'array.index' op index 4 is out of range for dimension 0 of [m]i32, which has 4
// given: other numbers lead in circles
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %r = array.map (%x in %xs : [n]i32) {
    %last = scf.while (%a = %x) : (i32) -> (i32) {
      %i = arith.index_cast %a : i32 to index
      %e = array.index %ys[%i] : [m]i32
      %c = arith.cmpi ne, %e, %zero : i32
      scf.condition(%c) %e : i32
    } do {
    ^bb0(%a: i32):
      scf.yield %a : i32
    }
    array.yield %last : i32
  }
  func.return %r : !array.array<[n]i32>
}
