// run
// A list at each point gets an element in each step, as often as the point says.
// inputs: [0, 1, 2, 3, 7, 40]
// inputs: []
// inputs: [257]
// numpy: np.array([n * (n - 1) // 2 for n in ns], dtype=np.int32)
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ns: !array.array<[t]index>) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %D = array.map (%n in %ns : [t]index) {
    %start = array.iota %c1 : [?]i32
    %grown = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
      %k = arith.index_cast %i : index to i32
      %ks = array.replicate %k, [%c1] : i32 -> [?]i32
      %b = array.concat %a, %ks : [?]i32, [?]i32 -> [?]i32
      scf.yield %b : !array.array<[?]i32>
    }
    %d = array.reduce (%grown : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %d : i32
  }
  func.return %D : !array.array<[t]i32>
}
