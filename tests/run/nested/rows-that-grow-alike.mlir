// run
// Lists of all points grow alike, by as many elements as they have in each step: the nest moves into the loop, and one array of
// all lists grows on the host.
// inputs: [0, 3, 1, 100, 17]; K where K = 0 1 3
// inputs: random:67; 5
// numpy: lists = [[x] for x in xs]
// numpy: for l in lists:
// numpy:   for i in range(k): l.extend([e + l[0] for e in l])
// numpy: np.array([sum(l) for l in lists], dtype=np.int32), np.array(lists, dtype=np.int32).reshape(len(xs), 2 ** k)
// structure: kernel.segmap 2, kernel.segred 1
// versions: kernel.segmap 2, kernel.segred 1
func.func @main(%xs: !array.array<[t]i32>, %k: index) -> (!array.array<[t]i32>, !array.array<[t][?]i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %D, %E = array.map (%x in %xs : [t]i32) {
    %start = array.replicate %x, [%c1] : i32 -> [?]i32
    %grown = scf.for %i = %c0 to %k step %c1 iter_args(%a = %start) -> (!array.array<[?]i32>) {
      %ds = array.map (%e in %a : [?]i32) {
        %q = arith.addi %e, %x : i32
        array.yield %q : i32
      }
      %b = array.concat %a, %ds : [?]i32, [?]i32 -> [?]i32
      scf.yield %b : !array.array<[?]i32>
    }
    %d = array.reduce (%grown : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %d, %grown : i32, !array.array<[?]i32>
  }
  func.return %D, %E : !array.array<[t]i32>, !array.array<[t][?]i32>
}
