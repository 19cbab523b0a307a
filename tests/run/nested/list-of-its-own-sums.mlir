// run
// Lists of all points get the bits of their elements together in each step: by a thread for each where the steps are few.
// inputs: [1, 3, 7]; K where K = 0 1 4
// inputs: random:67; 10
// numpy: lists = [[int(x)] for x in xs]
// numpy: for l in lists:
// numpy:   for i in range(k): l.append(int(np.bitwise_xor.reduce(np.array(l, dtype=np.int32))))
// numpy: np.array([sum(l) for l in lists], dtype=np.int64).astype(np.int32)
// structure: kernel.segmap 2, kernel.segred 2
// versions: kernel.segmap 3, kernel.segred 2
func.func @main(%xs: !array.array<[t]i32>, %k: index) -> !array.array<[t]i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %D = array.map (%x in %xs : [t]i32) {
    %start = array.replicate %x, [%c1] : i32 -> [?]i32
    %grown = scf.for %i = %c0 to %k step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
      %s = array.reduce (%a : [?]i32) init (%zero : i32) combine arith.xori
      %one = array.replicate %s, [%c1] : i32 -> [?]i32
      %b = array.concat %a, %one : [?]i32, [?]i32 -> [?]i32
      scf.yield %b : !array.array<[?]i32>
    }
    %d = array.reduce (%grown : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %d : i32
  }
  func.return %D : !array.array<[t]i32>
}
