// run
// A loop of unknown rounds that carries one of two arrays.
// inputs: [1, 20, 30, -4]; [3, 1, 2]; [10, 20, 3]
// outputs: [6, 33, 33, 6]
// structure: kernel.seghist 0, kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ks: !array.array<[n]i32>, %ys: !array.array<[m]i32>, %xs: !array.array<[m]i32>) -> !array.array<[n]i32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %r = array.map (%k in %ks : [n]i32) {
    %f = array.cast %ys : [m]i32 -> [?]i32
    %g = array.cast %xs : [m]i32 -> [?]i32
    %a = scf.while (%x = %f) : (!array.array<[?]i32>) -> (!array.array<[?]i32>) {
      %s = array.reduce (%x : [?]i32) init (%zero : i32) combine arith.addi
      %c = arith.cmpi slt, %s, %k : i32
      scf.condition(%c) %x : !array.array<[?]i32>
    } do {
    ^bb0(%x: !array.array<[?]i32>):
      scf.yield %g : !array.array<[?]i32>
    }
    %s = array.reduce (%a : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %s : i32
  }
  func.return %r : !array.array<[n]i32>
}
