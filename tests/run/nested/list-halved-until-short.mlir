// run
// A list at each point loses its first half until it is short enough: the loop's condition asks for its length.
// inputs: [0, 3, 1, 100, 17]; N where N = 0 1 2 40
// inputs: []; 2
// numpy: lists, steps = [np.arange(n, dtype=np.int32) for n in ns], np.zeros(len(ns), dtype=np.int64)
// numpy: for i in range(len(ns)):
// numpy:   while len(lists[i]) > k: h = len(lists[i]) // 2; lists[i] = lists[i][h:2 * h]; steps[i] += 1
// numpy: np.array([l.sum() for l in lists], dtype=np.int32), steps
// structure: kernel.segmap 1
// versions: kernel.segmap 1
func.func @main(%ns: !array.array<[t]index>, %k: index) -> (!array.array<[t]i32>, !array.array<[t]index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %D, %E = array.map (%n in %ns : [t]index) {
    %start = array.iota %n : [?]i32
    %left, %steps = scf.while (%a = %start, %j = %c0) : (!array.array<[?]i32>, index) -> (!array.array<[?]i32>, index) {
      %len = array.dim %a, 0 : [?]i32
      %long = arith.cmpi sgt, %len, %k : index
      scf.condition(%long) %a, %j : !array.array<[?]i32>, index
    } do {
    ^bb0(%a: !array.array<[?]i32>, %j: index):
      %len = array.dim %a, 0 : [?]i32
      %half = arith.divui %len, %c2 : index
      %b = array.slice %a[%half] sizes [%half] strides [%c1] : [?]i32 -> [?]i32
      %j1 = arith.addi %j, %c1 : index
      scf.yield %b, %j1 : !array.array<[?]i32>, index
    }
    %d = array.reduce (%left : [?]i32) init (%zero : i32) combine arith.addi
    array.yield %d, %steps : i32, index
  }
  func.return %D, %E : !array.array<[t]i32>, !array.array<[t]index>
}
